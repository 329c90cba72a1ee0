# What `cmake --install` puts where: the library, its headers, the tool, and the files by which find_package(conelu) and
# pkg-config find them. Everything is relative to the prefix, so that an installation may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(conelu_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conelu)

install(TARGETS conelu EXPORT conelu-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS conelu_tool)
install(DIRECTORY include/conelu TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE TYPE DOC)

# The tool finds the shared library from where it stands itself. Both name the folder of the OpenBLAS that they were
# linked with: which one the system would give them is left to Debian's alternatives, and it may be the pthread build.
file(RELATIVE_PATH conelu_lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(conelu_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${conelu_lib_from_bin}")
set_target_properties(conelu conelu_tool PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

install(EXPORT conelu-targets NAMESPACE conelu:: DESTINATION ${conelu_config_dir})
get_target_property(conelu_type conelu TYPE)
configure_package_config_file(cmake/conelu-config.cmake.in ${PROJECT_BINARY_DIR}/conelu-config.cmake
                              INSTALL_DESTINATION ${conelu_config_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 the API may change between minor versions.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/conelu-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/conelu-openblas.cmake ${PROJECT_BINARY_DIR}/conelu-config.cmake
              ${PROJECT_BINARY_DIR}/conelu-config-version.cmake
        DESTINATION ${conelu_config_dir})

cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE conelu_prefix_from_pc)
cmake_path(APPEND conelu_pc_libdir "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND conelu_pc_includedir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
get_target_property(conelu_pc_definitions conelu INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM conelu_pc_definitions PREPEND "-D")
list(JOIN conelu_pc_definitions " " conelu_pc_definitions)
if(conelu_type STREQUAL "STATIC_LIBRARY")
  # OpenBLAS by its flags and not by its name: the name could mean the pthread build, and its own private libraries
  # (-lgfortran) are needed only by those who link the static OpenBLAS.
  set(conelu_pc_requires_private "fmt >= 9, zlib")
  list(JOIN OpenBLAS_LDFLAGS " " conelu_pc_libs_private)
  string(APPEND conelu_pc_libs_private " ${OpenMP_CXX_FLAGS}")
endif()
configure_file(cmake/conelu.pc.in ${PROJECT_BINARY_DIR}/conelu.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/conelu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
