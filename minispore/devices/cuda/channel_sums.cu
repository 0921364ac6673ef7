// Sums of arrays (outer, channels, inner) to their channels, for a table of arrays: in float32, rounded once.
struct Sum {
  long long x, y;                      // places of the array and of its sums
  int outer, channels, inner;
  int slices, tile, part, counter;     // how many share a sum; the first block, partial sum and counter
  int kind;                            // of both: 0 for float, 1 for float16, 2 for bfloat16
};

__device__ inline float number(long long place, int kind, long long i) {
  if (kind == 0) return ((const float*)place)[i];
  return kind == 1 ? float(((const float16*)place)[i]) : float(((const bfloat16*)place)[i]);
}

__device__ inline void put(long long place, int kind, int i, float v) {
  if (kind == 0) ((float*)place)[i] = v;
  else if (kind == 1) ((float16*)place)[i] = float16(v);
  else ((bfloat16*)place)[i] = bfloat16(v);
}

// The sum of a slice of a tile's channels. A tile is 32 channels side by side in memory, or one of several pixels.
__device__ inline float slice_sum(const Sum& s, int tile, int slice) {
  __shared__ float rows[8][WARP];
  int lane = threadIdx.x % WARP, row = threadIdx.x / WARP;
  float sum = 0;
  if (s.inner > 1) {
    long long size = (long long)s.outer * s.inner, step = (long long)s.slices * blockDim.x;
    for (long long i = slice * blockDim.x + threadIdx.x; i < size; i += step)
      sum += number(s.x, s.kind, (i / s.inner * s.channels + tile) * s.inner + i % s.inner);
    return block_sum(sum);
  }
  int channel = tile * WARP + lane;
  if (channel < s.channels)
    for (long long i = slice * 8 + row; i < s.outer; i += s.slices * 8) sum += number(s.x, s.kind, i * s.channels + channel);
  rows[row][lane] = sum;
  __syncthreads();
  for (int r = 1; r < 8; r++)
    if (row == 0) sum += rows[r][lane];
  return sum;
}

template <int COUNT>
struct Sums {
  Sum of[COUNT];
};

// A block for each slice of each tile. Of a tile's blocks the one that ends last adds the slices' sums, in order.
template <int COUNT>
__global__ void channel_sums(const Sums<COUNT> table, int count, float* parts, unsigned* counters) {
  int k = 0;
  while (k + 1 < count && blockIdx.x >= table.of[k + 1].tile) k++;
  const Sum& s = table.of[k];
  int tile = (blockIdx.x - s.tile) / s.slices, slice = (blockIdx.x - s.tile) % s.slices;
  int width = s.inner > 1 ? 1 : WARP, channel = tile * width + threadIdx.x;
  bool mine = threadIdx.x < width && channel < s.channels;
  float sum = slice_sum(s, tile, slice);
  if (s.slices > 1) {
    if (mine) parts[s.part + slice * s.channels + channel] = sum;
    if (!is_last(counters + s.counter + tile, s.slices)) return;
    sum = 0;
    for (int j = 0; mine && j < s.slices; j++) sum += ((volatile float*)parts)[s.part + j * s.channels + channel];
  }
  if (mine) put(s.y, s.kind, channel, sum);
}
