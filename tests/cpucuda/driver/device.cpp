// The device: counters and trace, its attributes, and the names of errors.
#include "driver.h"

long counters[COUNTERS];
bool dry = false;
static FILE* trace_file = nullptr;

EXPORT long* cpucuda_counters() { return counters; }
EXPORT void cpucuda_dry(int on) { dry = on; }
EXPORT void cpucuda_trace(const char* path) {
  if (trace_file) fclose(trace_file);
  trace_file = path && *path ? fopen(path, "a") : nullptr;
}
static std::string mentioned;
bool is_traced() { return trace_file; }
void mention(const std::vector<std::pair<const void*, size_t>>& places) {
  mentioned.clear();
  char text[64];
  for (auto& place : places) {
    snprintf(text, sizeof text, " %p:%zu", place.first, place.second);
    mentioned += text;
  }
}
void note(const char* what, const char* name, long n) {
  if (!trace_file) return;
  fprintf(trace_file, "%s %s %ld%s\n", what, name, n, mentioned.c_str());
  fflush(trace_file);
  mentioned.clear();
}

// ---------------------------------------------------------------- errors
struct Told { cudaError_t code; const char *name, *text; };
static const Told ERRORS[] = {
#define ERROR(name, text) {name, #name, text}
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(cudaErrorNotSupported, "operation not supported"),
    ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ERROR(cudaErrorStreamCaptureUnmatched, "capture was not initiated in this stream"),
    ERROR(cudaErrorStreamCaptureUnjoined, "capture was not completed by joining forked work"),
    ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    ERROR(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing stream"),
    ERROR(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
#undef ERROR
};
static const Told* told(cudaError_t code) {
  for (auto& e : ERRORS) if (e.code == code) return &e;
  return nullptr;
}
EXPORT const char* cudaGetErrorName(cudaError_t e) { return told(e) ? told(e)->name : "cudaErrorUnknown"; }
EXPORT const char* cudaGetErrorString(cudaError_t e) {
  static char text[64];
  if (told(e)) return told(e)->text;
  snprintf(text, sizeof text, "error %d of the CPU's CUDA", (int)e);
  return text;
}
EXPORT cudaError_t cudaGetLastError() { return cudaSuccess; }
EXPORT CUresult cuGetErrorName(CUresult e, const char** s) {
  *s = cudaGetErrorName((cudaError_t)e);
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorString(CUresult e, const char** s) {
  *s = cudaGetErrorString((cudaError_t)e);
  return CUDA_SUCCESS;
}

// ---------------------------------------------------------------- what the device says of itself: an H100's sizes
EXPORT cudaError_t cudaDriverGetVersion(int* v) { *v = 12090; return cudaSuccess; }
EXPORT cudaError_t cudaRuntimeGetVersion(int* v) { *v = 12090; return cudaSuccess; }
EXPORT cudaError_t cudaGetDevice(int* d) { *d = 0; return cudaSuccess; }
EXPORT cudaError_t cudaSetDevice(int d) { return d ? cudaErrorInvalidDevice : cudaSuccess; }
EXPORT cudaError_t cudaGetDeviceCount(int* n) { *n = 1; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceCanAccessPeer(int* v, int, int) { *v = 0; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceGetLimit(size_t* v, cudaLimit) { *v = 1024; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
EXPORT cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *v = 9; break;
    case cudaDevAttrComputeCapabilityMinor: *v = 0; break;
    case cudaDevAttrMaxThreadsPerBlock: *v = 1024; break;
    case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *v = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *v = 64; break;
    case cudaDevAttrMaxGridDimX: *v = 2147483647; break;
    case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *v = 65535; break;
    case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMultiProcessorCount: *v = 132; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *v = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *v = 227 << 10; break;
    default: *v = 0;
  }
  return cudaSuccess;
}
EXPORT cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  memset(p, 0, sizeof *p);
  strcpy(p->name, "CPU");
  p->major = 9;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->multiProcessorCount = 132;
  p->sharedMemPerBlock = 48 << 10;
  p->sharedMemPerBlockOptin = 227 << 10;
  p->totalGlobalMem = 16ull << 30;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  return cudaSuccess;
}

// ---------------------------------------------------------------- one context, the process's own
static const CUcontext CONTEXT = (CUcontext)0x10;
EXPORT CUresult cuCtxGetCurrent(CUcontext* c) { *c = CONTEXT; return CUDA_SUCCESS; }
EXPORT CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
EXPORT CUresult cuCtxGetDevice(CUdevice* d) { *d = 0; return CUDA_SUCCESS; }
EXPORT CUresult cuStreamGetCtx(CUstream, CUcontext* c) { *c = CONTEXT; return CUDA_SUCCESS; }
EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
