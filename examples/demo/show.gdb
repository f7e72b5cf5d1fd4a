# What the demo types in gdb, once the rank has stopped. The echoes stand for the prompt, which gdb
# does not print in batch mode.
set print pretty on
echo \n--- stopped ---\n
echo (gdb) print/r struDT\n
print/r struDT
echo (gdb) print struDT\n
print struDT
set print pretty off
echo (gdb) mpipp struDT buffer\n
mpipp struDT buffer
echo --- done ---\n
