// What the kernels share: sums and maxima over a block, in an order that is the same in every run.
#include <cupy/carray.cuh>
#include <cupy/bfloat16.cuh>
#include <cupy/float16.cuh>

#define WARP 32
#define ALL 0xffffffffu

__device__ inline float larger(float a, float b) { return a > b ? a : b; }

__device__ inline float warp_sum(float v) {
  for (int s = WARP / 2; s; s >>= 1) v += __shfl_xor_sync(ALL, v, s, WARP);
  return v;
}

__device__ inline float warp_max(float v) {
  for (int s = WARP / 2; s; s >>= 1) v = larger(v, __shfl_xor_sync(ALL, v, s, WARP));
  return v;
}

// The sum of v over the block's threads, a multiple of 32, in every thread. All threads call it.
__device__ inline float block_sum(float v) {
  __shared__ float part[WARP];
  v = warp_sum(v);
  __syncthreads();  // the sum before may still be read
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = v;
  __syncthreads();
  float total = 0;
  for (int w = 0; w < blockDim.x / WARP; w++) total += part[w];
  return total;
}

// The largest v of the block's threads, in every thread. All threads call it. A nan is passed over.
__device__ inline float block_max(float v) {
  __shared__ float part[WARP];
  v = warp_max(v);
  __syncthreads();
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = v;
  __syncthreads();
  float most = part[0];
  for (int w = 1; w < blockDim.x / WARP; w++) most = larger(most, part[w]);
  return most;
}

// Whether this block is the last of `count` to come here, by a counter that is 0 before and after. All threads call it.
// What the blocks wrote before is then seen by the last one.
__device__ inline bool is_last(unsigned* counter, unsigned count) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(counter, 1u) == count - 1;
    if (last) *counter = 0;
  }
  __syncthreads();
  if (last) __threadfence();
  return last;
}
