# Finds OpenBLAS as the target PkgConfig::OpenBLAS. Read by our own build and, installed beside it, by
# conelu-config.cmake.
#
# The OpenMP build shares its threads with ours; the pthread build oversubscribes the cores. Both may be installed, and
# Debian keeps each in a folder of its own that nobody searches unasked.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  set(conelu_pkg_config_path "$ENV{PKG_CONFIG_PATH}")
  set(ENV{PKG_CONFIG_PATH} "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp/pkgconfig:$ENV{PKG_CONFIG_PATH}")
  pkg_check_modules(OpenBLAS QUIET IMPORTED_TARGET openblas)
  set(ENV{PKG_CONFIG_PATH} "${conelu_pkg_config_path}")
endif()
