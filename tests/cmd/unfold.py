"""What gdb says in GDB/MI, and what `mpipp gdb --frontend=cdt-gdb-adapter` makes of it.

    unfold.py SAID EXPECTED     writes both
"""

import sys

# Each line as gdb says it; where mpipp changes it, the changed one follows after " -> ".
LINES = r"""
(gdb)
^done,name="v",numchild="0",value="{...}",type="MPI_Datatype",thread-id="1",dynamic="1",has_more="1" -> ^done,name="v",numchild="1",value="{...}",type="MPI_Datatype",thread-id="1",dynamic="1",has_more="1"
12^done,name="v",numchild="0",value="{...}",type="struct mpipp_buffer",dynamic="1",has_more="1" -> 12^done,name="v",numchild="1",value="{...}",type="struct mpipp_buffer",dynamic="1",has_more="1"
12^done,name="v",numchild="0",value="1",type="int",has_more="0"
12^done,name="v",numchild="0",value="std::optional",type="o",dynamic="1",has_more="0"
12^done,name="v",numchild="0",value="69",type="MPI_Datatype",has_more="0" -> 12^done,name="v",numchild="1",value="69",type="MPI_Datatype",has_more="0"
12^done,name="v",numchild="0",value="69",type="const MPI_Datatype",has_more="0" -> 12^done,name="v",numchild="1",value="69",type="const MPI_Datatype",has_more="0"
12^done,name="v",numchild="3",value="{...}",type="struct s",has_more="0"
12^done,numchild="2",children=[child={name="v.a",exp="a",numchild="0",value="{...}",type="struct mpipp_entries",dynamic="1"},child={name="v.b",exp="b",numchild="0",value="{...}",type="struct s"}],has_more="0" -> 12^done,numchild="2",children=[child={name="v.a",exp="a",numchild="1",value="{...}",type="struct mpipp_entries",dynamic="1"},child={name="v.b",exp="b",numchild="0",value="{...}",type="struct s"}],has_more="0"
12^done,numchild="1",children=[child={name="v.a",exp="a",numchild="0",value="\",numchild=\"0\",{...}\\",type="char *"}],has_more="0"
12^done,numchild="0",has_more="0" -> 12^done,numchild="0",children=[],has_more="0"
12^error,msg="Invalid variable object (child of a dynamic varobj)" -> 12^done,path_expr=""
12^error,msg="Invalid variable object"
12^done,numchild="0
12^done
12^running
~"^done,numchild=\"0\",dynamic=\"1\",has_more=\"1\""
the program: ^done,name="v",numchild="0",dynamic="1",has_more="1"
12 ^done,name="v",numchild="0",dynamic="1",has_more="1"
=thread-exited,id="1"
"""

# More than what is read at once, and a line that does not end.
LONG = "^done,value=\"" + 100000 * "x" + "\",numchild=\"{}\",dynamic=\"1\",has_more=\"1\"\n"
OPEN = "^done,name=\"v\",numchild=\"{}\",dynamic=\"1\",has_more=\"1\""


def main() -> None:
    pairs = [line.split(" -> ") for line in LINES.strip().split("\n")]
    for place, number in ((0, "0"), (-1, "1")):
        with open(sys.argv[1 - place], "w", encoding="utf-8") as file:
            file.writelines(pair[place] + "\n" for pair in pairs)
            file.write(LONG.format(number) + OPEN.format(number))


main()
