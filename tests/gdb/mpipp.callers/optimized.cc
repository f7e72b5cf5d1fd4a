// Call sites of C++ after -O2: templates, constructors and destructors, lambdas.
#include <mpi.h>
#include <array>

#define OUT_OF_LINE __attribute__((noinline, noclone))

static MPI_Datatype kept[20];

class Type {
public:
    explicit Type(int n)
    {
        MPI_Type_contiguous(n, MPI_INT, &handle); /* made: constructor */
    }
    ~Type()
    {
        MPI_Type_free(&handle); /* freed: destructor */
    }
    OUT_OF_LINE int commit()
    {
        return MPI_Type_commit(&handle); /* committed: member */
    }

private:
    MPI_Datatype handle;
};

template <typename Element, int Count> static void instance(MPI_Datatype *type)
{
    MPI_Type_contiguous(Count, sizeof(Element) == 8 ? MPI_DOUBLE : MPI_CHAR, type); /* made: template */
}

template <int Count> OUT_OF_LINE static int last_call(MPI_Datatype *type)
{
    return MPI_Type_contiguous(Count, MPI_INT, type); /* made: template's last call */
}

OUT_OF_LINE static void scope()
{
    Type type(20);
    type.commit();
}

template <typename Element> static MPI_Datatype base_of()
{
    return MPI_INT;
}

/* The arguments are inlined functions: gdb alone says their lines. */
OUT_OF_LINE static int arguments(int count)
{
    std::array<MPI_Datatype, 2> made;
    MPI_Type_contiguous(count, MPI_INT, made.data()); /* made: argument of a header */
    MPI_Type_contiguous(count + 1, base_of<int>(), &made[1]); /* made: argument of a template */
    MPI_Type_set_name(made[0], "header");
    return made[0] == made[1];
}

extern "C" void sites_of_cxx()
{
    instance<double, 21>(&kept[1]);
    instance<char, 22>(&kept[2]);
    last_call<23>(&kept[3]);
    last_call<24>(&kept[4]);
    auto made = [](int n) {
        MPI_Type_contiguous(n, MPI_INT, &kept[n - 20]); /* made: lambda */
    };
    made(25);
    scope();
    arguments(26);
}
