// What the parts of the CPU's CUDA driver share: counters, the trace, and how work reaches a stream.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

// The order is that of NAMES in device.py.
enum Counter { LAUNCH, MALLOC, H2D, D2H, D2D, MEMSET, SYNC, GEMM, COMPILE, GRAPH, NODE, COUNTERS };
extern long counters[COUNTERS];
extern bool dry;                                         // kernels, products and copies to the host do nothing
void note(const char* what, const char* name, long n);   // a line of the trace
bool is_traced();
// What the next line of the trace tells of memory: places, and how many bytes of each are used, 0 where nobody knows.
void mention(const std::vector<std::pair<const void*, size_t>>& places);

// graphs.cpp: one piece of work for a stream. It runs at once, or is recorded where the stream is being captured.
struct Work {
  Counter counter;
  std::string name;
  long size;
  std::function<void()> run;
};
cudaError_t submit(cudaStream_t stream, Work work);
bool is_capturing(cudaStream_t stream);
cudaError_t refuse(cudaStream_t stream, cudaError_t error);  // spoil the capture of a stream and say why
cudaError_t wait_for(cudaStream_t stream);                   // an error where the stream is being captured
cudaError_t wait_for_all();                                  // the same for any stream
cudaError_t unsafe_call();                                   // cudaMalloc and the like, which two capture modes refuse
cudaError_t use_of_legacy_stream();                          // an error while a blocking stream is being captured

// memory.cpp
bool is_device(const void* pointer);

// compiler.cpp
std::string read_file(const std::string& path);
const char* const IMAGE = "CPUCUDA:";  // what stands for PTX and CUBIN: this word and the path of a shared library

// scheduler.cpp: a kernel's launcher is called once a thread, with pointers to its arguments.
struct Kernel {
  void (*launch)(void**);
  const size_t* sizes;  // of its arguments, ended by 0
  int how;              // Threads, and FLUSHES
  std::string name;
};
enum Threads { ONE_BY_ONE, GRID_STRIDE, AS_FIBERS, FLUSHES = 4 };
struct Shape {
  unsigned x, y, z;
  size_t size() const { return (size_t)x * y * z; }
};
struct Shared;
Shared* shared_with_kernels();
void run_kernel(const Kernel& kernel, Shape grid, Shape block, void** arguments);
