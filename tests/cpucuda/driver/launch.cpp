// Modules, which are shared libraries that compiler.cpp made, and the launch of their kernels.
#include <dlfcn.h>

#include <memory>

#include "driver.h"

// ---------------------------------------------------------------- modules and functions
static CUresult load(CUmodule* module, const std::string& path) {
  static std::map<std::string, void*> modules;
  void*& library = modules[path];
  if (!library) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fprintf(stderr, "CPU CUDA: %s\n", dlerror());
      return CUDA_ERROR_INVALID_IMAGE;
    }
    if (auto pointer = (Shared**)dlsym(library, "__cpu_shared")) *pointer = shared_with_kernels();
  }
  *module = (CUmodule)library;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  std::string text = (const char*)image;
  if (text.rfind(IMAGE, 0)) return CUDA_ERROR_INVALID_IMAGE;
  return load(module, text.substr(strlen(IMAGE)));
}
EXPORT CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return cuModuleLoadData(module, read_file(path).c_str());
}
EXPORT CUresult cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
template <class T> static T symbol(CUmodule module, const std::string& name) { return (T)dlsym((void*)module, name.c_str()); }
EXPORT CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  auto launch = symbol<void (*)(void**)>(module, std::string("__launch_") + name);
  auto sizes = symbol<const size_t* (*)()>(module, std::string("__sizes_") + name);
  if (!launch) return CUDA_ERROR_NOT_FOUND;
  *function = (CUfunction) new Kernel{launch, sizes(), *symbol<int*>(module, "__how"), name};
  return CUDA_SUCCESS;
}
EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* size, CUmodule module, const char* name) {
  *pointer = symbol<CUdeviceptr>(module, name);
  *size = 0;
  return *pointer ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
EXPORT CUresult cuFuncGetAttribute(int* v, CUfunction_attribute attribute, CUfunction) {
  *v = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, CUfunction, int, size_t) { *n = 2; return CUDA_SUCCESS; }
EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize, size_t, int) {
  *grid = 264;
  *block = 1024;
  return CUDA_SUCCESS;
}

// ---------------------------------------------------------------- launch
// A kernel's arguments, copied, for a launch that comes later.
struct Arguments {
  std::vector<std::vector<std::max_align_t>> values;
  std::vector<void*> pointers;
  Arguments(const Kernel& kernel, void** given) {
    for (size_t i = 0; kernel.sizes[i]; i++) {
      values.emplace_back(kernel.sizes[i] / sizeof(std::max_align_t) + 1);
      memcpy(values.back().data(), given[i], kernel.sizes[i]);
    }
    for (auto& value : values) pointers.push_back(value.data());
  }
};
// Every word of a kernel's arguments that may be a place in memory: pointers, and those within structs and tables.
static std::vector<std::pair<const void*, size_t>> places(const Kernel& kernel, void** given) {
  std::vector<std::pair<const void*, size_t>> found;
  for (size_t i = 0; kernel.sizes[i]; i++)
    for (size_t at = 0; at + 8 <= kernel.sizes[i]; at += 8) {
      const void* word;
      memcpy(&word, (char*)given[i] + at, 8);
      if ((uintptr_t)word >> 16) found.push_back({word, 0});
    }
  return found;
}
static bool is_legal(Shape grid, Shape block, unsigned shared_bytes) {
  return block.size() && block.size() <= 1024 && block.z <= 64 && grid.size() && grid.y <= 65535 && grid.z <= 65535
      && shared_bytes <= 227 << 10;
}
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared_bytes, CUstream stream, void** given, void**) {
  auto kernel = (Kernel*)function;
  Shape grid{gx, gy, gz}, block{bx, by, bz};
  if (!is_legal(grid, block, shared_bytes)) return CUDA_ERROR_INVALID_VALUE;
  Work work{LAUNCH, kernel->name, (long)(grid.size() * block.size())};
  if (is_capturing(stream)) {
    auto kept = std::make_shared<Arguments>(*kernel, given);
    work.run = [=] { run_kernel(*kernel, grid, block, kept->pointers.data()); };
  } else {
    if (is_traced()) mention(places(*kernel, given));
    work.run = [=] { if (!dry) run_kernel(*kernel, grid, block, given); };
  }
  return (CUresult)submit(stream, std::move(work));
}
EXPORT CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                          unsigned bz, unsigned bytes, CUstream stream, void** given) {
  return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, bytes, stream, given, nullptr);
}
