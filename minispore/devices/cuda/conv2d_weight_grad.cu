// The gradient of a convolution's weight as one product over all pixels of all images, its right matrix gathered where it
// is needed ("implicit GEMM"):
//   dw[o, k] = sum over images and pixels of dy[image, o, pixel] * x[image, c, place of the tap],  k = (c, v, u)
// gridDim.z blocks share the sum, a slice of the pixels each; the block that ends last adds the slices in their order.
// NumPy's algorithm is that of ../conv/im2col.py; this one never has its columns in memory.
#include "mma.cu"

#define NUMBERS 64  // of k, a block's; it computes them for MADE channels

struct Sizes {
  int images, channels, h, w, made, oh, ow, kh, kw;
};
struct Places {
  int top, left, sy, sx, dy, dx;
};

template <typename T, int MADE>
__global__ void __launch_bounds__(128) conv2d_weight_grad(const unsigned short* dy, const unsigned short* x, Sizes size,
                                                          Places at, int slice, float* parts, unsigned* counters, T* dw) {
  __shared__ __align__(16) unsigned short slopes[MADE * GAP], gathered[NUMBERS * GAP];
  __shared__ int shift[NUMBERS], down[NUMBERS], right[NUMBERS];
  const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int first = blockIdx.y * MADE, first_k = blockIdx.x * NUMBERS, depth = size.channels * size.kh * size.kw;
  const int plane = size.h * size.w, pixels = size.oh * size.ow, total = size.images * pixels;
  const int begin = blockIdx.z * slice, end = min(begin + slice, total);

  // what each k adds to a pixel's place; one beyond the last k is outside of every plane
  if (threadIdx.x < NUMBERS) {
    int k = first_k + threadIdx.x, tap = k % (size.kh * size.kw), c = k / (size.kh * size.kw);
    int v = tap / size.kw * at.dy - at.top, u = tap % size.kw * at.dx - at.left;
    down[threadIdx.x] = k < depth ? v : -(1 << 30);
    right[threadIdx.x] = u;
    shift[threadIdx.x] = c * plane + v * size.w + u;
  }
  __syncthreads();

  unsigned short u[MADE / 4], v[NUMBERS / 4];
  auto gather = [&](int start) {  // for one pixel a thread
    int place = start + lane, image = place / pixels, pixel = place - image * pixels;
    int row = pixel / size.ow * at.sy, column = pixel % size.ow * at.sx;
    int from = image * size.channels * plane + row * size.w + column, of = image * size.made * pixels + pixel;
    bool is_there = place < end;
#pragma unroll
    for (int i = 0; i < MADE / 4; i++) {
      int o = first + warp + 4 * i;
      u[i] = is_there && o < size.made ? dy[of + o * pixels] : 0;
    }
#pragma unroll
    for (int i = 0; i < NUMBERS / 4; i++) {
      int k = warp + 4 * i;
      bool is_inside = (unsigned)(row + down[k]) < size.h && (unsigned)(column + right[k]) < size.w;
      v[i] = is_there && is_inside ? x[from + shift[k]] : 0;
    }
  };

  float sum[MADE / 8][4] = {};
  gather(begin);
  for (int start = begin; start < end; start += BAND) {
#pragma unroll
    for (int i = 0; i < MADE / 4; i++) slopes[(warp + 4 * i) * GAP + lane] = u[i];
#pragma unroll
    for (int i = 0; i < NUMBERS / 4; i++) gathered[(warp + 4 * i) * GAP + lane] = v[i];
    __syncthreads();
    if (start + BAND < end) gather(start + BAND);  // the next numbers come while these are multiplied
#pragma unroll
    for (int i = 0; i < MADE / 16; i++) multiply<T, 2>(sum + 2 * i, slopes, i * 16, gathered, warp * 16);
    __syncthreads();  // nobody overwrites what another warp still multiplies
  }

  const int COUNT = MADE / 2;  // a thread's numbers of the block's result
  if (gridDim.z > 1) {
    const int tile = blockIdx.y * gridDim.x + blockIdx.x;
    volatile float* part = parts + (long long)tile * gridDim.z * COUNT * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < COUNT; i++) part[(blockIdx.z * COUNT + i) * blockDim.x] = sum[i / 4][i % 4];
    if (!is_last(counters + tile, gridDim.z)) return;
#pragma unroll
    for (int i = 0; i < COUNT; i++) sum[i / 4][i % 4] = part[i * blockDim.x];
    for (int s = 1; s < gridDim.z; s++)
#pragma unroll
      for (int i = 0; i < COUNT; i++) sum[i / 4][i % 4] += part[(s * COUNT + i) * blockDim.x];
  }
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    int o = first + i / 8 * 16 + i % 4 / 2 * 8 + lane / 4;
    int k = first_k + warp * 16 + i % 8 / 4 * 8 + lane % 4 * 2 + i % 2;
    if (o < size.made && k < depth) dw[o * depth + k] = T(sum[i / 4][i % 4]);
  }
}
