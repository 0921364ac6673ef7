// Memory of the device is the host's, filled with 0xA5 where it is new; copies and memsets.
#include "driver.h"

static std::map<uintptr_t, size_t> blocks, pinned;
static std::mutex lock;

static bool is_within(const std::map<uintptr_t, size_t>& ranges, const void* pointer) {
  std::lock_guard<std::mutex> guard(lock);
  auto after = ranges.upper_bound((uintptr_t)pointer);
  if (after == ranges.begin()) return false;
  --after;
  return (uintptr_t)pointer < after->first + after->second;
}
bool is_device(const void* pointer) { return is_within(blocks, pointer); }

// ---------------------------------------------------------------- allocation
static cudaError_t allocate(void** p, size_t bytes) {
  const size_t GRAIN = 512, LARGEST = 1ull << 34;
  size_t size = bytes ? (bytes + GRAIN - 1) / GRAIN * GRAIN : GRAIN;
  if (bytes > LARGEST || posix_memalign(p, GRAIN, size)) return cudaErrorMemoryAllocation;
  counters[MALLOC]++;
  memset(*p, 0xA5, size);
  std::lock_guard<std::mutex> guard(lock);
  blocks[(uintptr_t)*p] = size;
  return cudaSuccess;
}
EXPORT cudaError_t cudaMalloc(void** p, size_t n) {
  if (auto error = unsafe_call()) return error;
  return allocate(p, n);
}
EXPORT cudaError_t cudaFree(void* p) {
  if (!p) return cudaSuccess;
  if (auto error = unsafe_call()) return error;
  { std::lock_guard<std::mutex> guard(lock); blocks.erase((uintptr_t)p); }
  free(p);
  return cudaSuccess;
}
EXPORT cudaError_t cudaMallocManaged(void** p, size_t n, unsigned) { return cudaMalloc(p, n); }
// Nodes that allocate are not recorded: what a graph needs is allocated before.
EXPORT cudaError_t cudaMallocAsync(void** p, size_t n, cudaStream_t s) {
  return is_capturing(s) ? refuse(s, cudaErrorNotSupported) : allocate(p, n);
}
EXPORT cudaError_t cudaMallocFromPoolAsync(void** p, size_t n, cudaMemPool_t, cudaStream_t s) {
  return cudaMallocAsync(p, n, s);
}
EXPORT cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  return is_capturing(s) ? refuse(s, cudaErrorNotSupported) : cudaFree(p);
}
EXPORT cudaError_t cudaHostAlloc(void** p, size_t n, unsigned) {
  *p = malloc(n ? n : 1);
  std::lock_guard<std::mutex> guard(lock);
  pinned[(uintptr_t)*p] = n;
  return cudaSuccess;
}
EXPORT cudaError_t cudaFreeHost(void* p) {
  { std::lock_guard<std::mutex> guard(lock); pinned.erase((uintptr_t)p); }
  free(p);
  return cudaSuccess;
}
EXPORT cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
EXPORT cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
EXPORT cudaError_t cudaMemGetInfo(size_t* free, size_t* total) { *free = *total = 16ull << 30; return cudaSuccess; }
EXPORT cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  memset(a, 0, sizeof *a);
  a->type = is_device(p) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  a->devicePointer = a->hostPointer = (void*)p;
  return cudaSuccess;
}

// ---------------------------------------------------------------- copies
// Without the device's work a copy to the host gives zeros: no overflow, a loss of 0.
static Work copy(void* to, const void* from, size_t n) {
  bool up = is_device(to), inside = up && is_device(from);
  auto run = [=] { if (!up && dry) memset(to, 0, n); else memmove(to, from, n); };
  return inside ? Work{D2D, "D2D", (long)n, run} : up ? Work{H2D, "H2D", (long)n, run} : Work{D2H, "D2H", (long)n, run};
}
static cudaError_t copy_now(void* to, const void* from, size_t n) {
  if (auto error = unsafe_call()) return error;
  return submit(0, copy(to, from, n));
}
// A graph may hold copies from and to the host, but of memory that stays where it is.
static cudaError_t copy_later(void* to, const void* from, size_t n, cudaStream_t stream) {
  auto fixed = [](const void* p) { return is_device(p) || is_within(pinned, p); };
  if (is_capturing(stream) && !(fixed(to) && fixed(from))) return refuse(stream, cudaErrorStreamCaptureUnsupported);
  return submit(stream, copy(to, from, n));
}
EXPORT cudaError_t cudaMemcpy(void* d, const void* s, size_t n, cudaMemcpyKind) { return copy_now(d, s, n); }
EXPORT cudaError_t cudaMemcpyPeer(void* d, int, const void* s, int, size_t n) { return copy_now(d, s, n); }
EXPORT cudaError_t cudaMemcpyAsync(void* d, const void* s, size_t n, cudaMemcpyKind, cudaStream_t stream) {
  return copy_later(d, s, n, stream);
}
EXPORT cudaError_t cudaMemcpyPeerAsync(void* d, int, const void* s, int, size_t n, cudaStream_t stream) {
  return copy_later(d, s, n, stream);
}
EXPORT cudaError_t cudaMemsetAsync(void* p, int v, size_t n, cudaStream_t stream) {
  return submit(stream, {MEMSET, "-", (long)n, [=] { memset(p, v, n); }});
}
EXPORT cudaError_t cudaMemset(void* p, int v, size_t n) {
  if (auto error = unsafe_call()) return error;
  return cudaMemsetAsync(p, v, n, 0);
}
