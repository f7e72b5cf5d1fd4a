# find_package(shadowtype) defines, for each MPI that mpipp was built for, a library to link a program with:
#
#     find_package(shadowtype REQUIRED)
#     target_link_libraries(app PRIVATE shadowtype::mpich)      # or shadowtype::openmpi
#
# A program that is linked so is recorded and checked without 'mpipp run'. As in the .pc files, the library stands before
# MPI's own, and both are kept where the program names nothing in them.
get_filename_component(_shadowtype_folder "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
foreach(_shadowtype_mpi mpich openmpi)
    set(_shadowtype_library "${_shadowtype_folder}/libshadowtype-${_shadowtype_mpi}.so")
    if(EXISTS "${_shadowtype_library}" AND NOT TARGET shadowtype::${_shadowtype_mpi})
        if(_shadowtype_mpi STREQUAL "mpich")
            set(_shadowtype_after mpich)
        else()
            set(_shadowtype_after mpi)
        endif()
        add_library(shadowtype::${_shadowtype_mpi} INTERFACE IMPORTED)
        set_target_properties(shadowtype::${_shadowtype_mpi} PROPERTIES INTERFACE_LINK_LIBRARIES
            "-Wl,-rpath,${_shadowtype_folder};-Wl,--push-state,--no-as-needed;${_shadowtype_library};-l${_shadowtype_after};-Wl,--pop-state")
    endif()
endforeach()
unset(_shadowtype_folder)
unset(_shadowtype_library)
unset(_shadowtype_after)
unset(_shadowtype_mpi)
