// A convolution, or its input's gradient, as one product whose left matrix is gathered from the planes where it is needed
// and is never in memory ("implicit GEMM"):
//   out[image, o, pixel] = sum over taps and channels c of in[image, c, place of the tap] * w[o, c, tap]
// The taps are those of the kernel. The place of tap (v, u) for the pixel (y, x) of out is
//   ((first_y + y * sy + v * dy) / gap_y, (first_x + x * sx + u * dx) / gap_x)
// and counts for nothing where a division leaves a rest or the place is outside. A convolution has gaps of 1; its input's
// gradient has strides of 1, negative dy and dx, and the convolution's strides as gaps. Pixels whose y and x leave the same
// rests by the gaps have the same taps: a block has pixels of one such class, and computes the taps of this class alone.
// NumPy's algorithm is that of ../conv/im2col.py; this one never has its columns in memory.
#include "mma.cu"

#define PIXELS 64  // a block's, one after another over all images; it computes them for MADE channels
#define STAGED 72  // numbers from one channel to the next of the block's result in shared memory

struct Sizes {
  int images, channels, h, w, made, oh, ow, kh, kw;
};
struct Places {
  int first_y, first_x, sy, sx, dy, dx, gap_y, gap_x;
};
// The taps of a class along one axis: first, first + step, ..., count of them.
struct Taps {
  int first, step, count;
};

// Those of `size` taps at which start + tap * d is a multiple of gap.
__device__ inline Taps taps_of(int start, int d, int gap, int size) {
  Taps taps = {0, 1, 0};
  while (taps.step < size && taps.step * d % gap) taps.step++;
  while (taps.first < taps.step && (start + taps.first * d) % gap) taps.first++;
  if (taps.first < taps.step) taps.count = (size - taps.first - 1) / taps.step + 1;
  return taps;
}

template <typename T, int MADE>
__global__ void __launch_bounds__(128) conv2d_gather(const unsigned short* in, const unsigned short* w, unsigned short* out,
                                                     Sizes size, Places at, int per_made, int per_channel) {
  __shared__ __align__(16) unsigned short memory[(PIXELS + MADE) * GAP];
  unsigned short *gathered = memory, *weights = memory + PIXELS * GAP;
  const int half = threadIdx.x / PIXELS, mine = threadIdx.x % PIXELS, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const int plane = size.h * size.w, first = blockIdx.y * MADE;

  // this block's class: its pixels and its taps
  const int classes_x = min(at.gap_x, size.ow), classes = min(at.gap_y, size.oh) * classes_x, tile = blockIdx.x / classes;
  const int rest_y = blockIdx.x % classes / classes_x, rest_x = blockIdx.x % classes % classes_x;
  const int rows = (size.oh - rest_y - 1) / at.gap_y + 1, columns = (size.ow - rest_x - 1) / at.gap_x + 1;
  if (tile * PIXELS >= size.images * rows * columns) return;
  const Taps down = taps_of(at.first_y + rest_y, at.dy, at.gap_y, size.kh);
  const Taps right = taps_of(at.first_x + rest_x, at.dx, at.gap_x, size.kw);
  const int across = max(right.count, 1), depth = down.count * right.count * size.channels;

  // the pixel of this thread, for which it gathers a half of each band of the depth, and the place of its first tap
  const int number = tile * PIXELS + mine, image = number / (rows * columns), rest = number - image * rows * columns;
  const int y = rest / columns * at.gap_y + rest_y, x = rest % columns * at.gap_x + rest_x;
  const int row = (y * at.sy + at.first_y + down.first * at.dy) / at.gap_y, next_row = down.step * at.dy / at.gap_y;
  const int column = (x * at.sx + at.first_x + right.first * at.dx) / at.gap_x, next_column = right.step * at.dx / at.gap_x;
  const bool is_there = image < size.images;
  in += is_there ? image * size.channels * plane : 0;

  // the place of a tap, by its row and column among the class's, in a plane of `in`; -1 if it counts for nothing
  auto place_of = [&](int v, int u) {
    int i = row + v * next_row, j = column + u * next_column;
    return is_there && v < down.count && (unsigned)i < size.h && (unsigned)j < size.w ? i * size.w + j : -1;
  };
  unsigned short numbers[BAND / 2], factors[MADE / 4];
  auto gather = [&](int k) {
    int start = k + half * (BAND / 2), tap = start / size.channels, c = start - tap * size.channels;
    int v = tap / across, u = tap - v * across, from = place_of(v, u);
#pragma unroll
    for (int i = 0; i < BAND / 2; i++) {
      numbers[i] = from < 0 ? 0 : in[c * plane + from];
      if (++c < size.channels) continue;
      c = 0;
      if (++u == across) u = 0, v++;
      from = place_of(v, u);
    }
    tap = (k + lane) / size.channels, c = k + lane - tap * size.channels, v = tap / across, u = tap - v * across;
    tap = (down.first + v * down.step) * size.kw + right.first + u * right.step;
#pragma unroll
    for (int i = 0; i < MADE / 4; i++) {
      int o = first + warp + 4 * i;
      factors[i] = o < size.made && k + lane < depth ? w[o * per_made + c * per_channel + tap] : 0;
    }
  };

  float sum[MADE / 8][4] = {};
  gather(0);
  for (int k = 0; k < depth; k += BAND) {
#pragma unroll
    for (int i = 0; i < BAND / 2; i += 8) {
      uint4 eight = {numbers[i] | (unsigned)numbers[i + 1] << 16, numbers[i + 2] | (unsigned)numbers[i + 3] << 16,
                     numbers[i + 4] | (unsigned)numbers[i + 5] << 16, numbers[i + 6] | (unsigned)numbers[i + 7] << 16};
      *(uint4*)(gathered + mine * GAP + half * (BAND / 2) + i) = eight;
    }
#pragma unroll
    for (int i = 0; i < MADE / 4; i++) weights[(warp + 4 * i) * GAP + lane] = factors[i];
    __syncthreads();
    if (k + BAND < depth) gather(k + BAND);  // the next numbers come while these are multiplied
    multiply<T, MADE / 8>(sum, gathered, warp * 16, weights, 0);
    __syncthreads();  // nobody overwrites what another warp still multiplies
  }

  // by shared memory, from the product's order of threads to the planes'
  const int group = lane / 4, quad = lane % 4;
#pragma unroll
  for (int j = 0; j < MADE / 8; j++)
#pragma unroll
    for (int i = 0; i < 4; i++)
      memory[(j * 8 + quad * 2 + i % 2) * STAGED + warp * 16 + group + i / 2 * 8] = T(sum[j][i]).to_bits();
  __syncthreads();
  for (int o = half; is_there && o < MADE && first + o < size.made; o += 2)
    out[((image * size.made + first + o) * size.oh + y) * size.ow + x] = memory[o * STAGED + mine];
}
