// The product of two small matrices by a warp, on tensor cores: d += a b with a (16, 16) and b (16, 8) of float16 or
// bfloat16, d (16, 8) of float32. Each thread holds a part of each. With group = lane / 4 and quad = lane % 4 these are,
// two neighbours in one register, the lower bits first (PTX, "Matrix fragments for mma.m16n8k16"):
//   a[0], a[1]   rows group and group + 8, columns 2 quad and 2 quad + 1;  a[2], a[3]   the same, 8 columns further
//   b[0]         rows 2 quad and 2 quad + 1, column group;                 b[1]         the same, 8 rows further
//   d[0], d[1]   row group, columns 2 quad and 2 quad + 1;                 d[2], d[3]   the same, 8 rows further

// The same without tensor cores: the four threads that hold a row or a column tell it by shuffles.
template <typename T>
__device__ inline void mma_by_shuffles(float* d, const unsigned* a, const unsigned* b) {
  int lane = threadIdx.x % WARP, row = lane & ~3, column = lane % 4 * 2;
  for (int quad = 0; quad < 4; quad++)
    for (int far = 0; far < 2; far++)
      for (int i = 0; i < 4; i++) {
        unsigned u = __shfl_sync(ALL, a[2 * far + i / 2], row + quad, WARP);
        unsigned v = __shfl_sync(ALL, b[far], (column + i % 2) * 4 + quad, WARP);
        d[i] += float(T::from_bits(u & 0xffff)) * float(T::from_bits(v & 0xffff));
        d[i] += float(T::from_bits(u >> 16)) * float(T::from_bits(v >> 16));
      }
}

// All threads of the warp call it.
template <typename T>
__device__ inline void mma(float* d, const unsigned* a, const unsigned* b) {
  mma_by_shuffles<T>(d, a, b);
}

#if __CUDA_ARCH__ >= 800
template <>
__device__ inline void mma<float16>(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <>
__device__ inline void mma<bfloat16>(float* d, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#elif __CUDA_ARCH__ >= 750  // tensor cores for 8 columns of a at a time, and none for bfloat16
__device__ inline void mma_of_8(float* d, unsigned above, unsigned below, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(above), "r"(below), "r"(b));
}

template <>
__device__ inline void mma<float16>(float* d, const unsigned* a, const unsigned* b) {
  mma_of_8(d, a[0], a[1], b[0]);
  mma_of_8(d, a[2], a[3], b[1]);
}
#endif

// A matrix in shared memory, two bytes a number: BAND numbers of a row are used, GAP lie from one row to the next, so
// that the threads of a warp find what they take in 32 different banks.
#define BAND 32
#define GAP 40

__device__ inline unsigned pair_at(const unsigned short* matrix, int row, int column) {
  return *(const unsigned*)(matrix + row * GAP + column);
}

// d[j] += a b[j] over BAND columns of a, rows of b: a from row `row` of `left`, b[j] from its turned matrix `right`,
// 8 of its rows for each j.
template <typename T, int COUNT>
__device__ inline void multiply(float (*d)[4], const unsigned short* left, int row, const unsigned short* right,
                                int column) {
  int group = threadIdx.x % WARP / 4, quad = threadIdx.x % 4;
#pragma unroll
  for (int k = 2 * quad; k < BAND; k += 16) {
    unsigned a[4] = {pair_at(left, row + group, k), pair_at(left, row + group + 8, k),
                     pair_at(left, row + group, k + 8), pair_at(left, row + group + 8, k + 8)};
#pragma unroll
    for (int j = 0; j < COUNT; j++) {
      unsigned b[2] = {pair_at(right, column + 8 * j + group, k), pair_at(right, column + 8 * j + group, k + 8)};
      mma<T>(d[j], a, b);
    }
  }
}
