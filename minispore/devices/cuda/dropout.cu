// Dropout: the mask, by the generator of philox.cu, and what it leaves, scaled.

// A block of words is eight numbers of 32 bits, the lower half of a word first: those of the eight elements of a thread.
template <typename T>
__global__ void dropout(const T* x, long long size, unsigned bound, float scale, Word first_key, Word second_key,
                        Word number, Word domain, const Word* drawn, T* out, T* mask) {
  long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x, begin = 8 * index;
  if (begin >= size) return;
  Word words[4];
  stream_of(first_key, second_key, number, domain, drawn).block(index, words);
  for (int j = 0; j < 8 && begin + j < size; j++) {
    float kept = (unsigned)(words[j / 2] >> 32 * (j % 2)) <= bound;
    mask[begin + j] = T(kept);
    out[begin + j] = T(float(x[begin + j]) * kept * scale);
  }
}
