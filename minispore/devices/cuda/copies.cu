// Results of a captured step go where the host tells the device in ``slot``: a block's place, and a piece's number.

template <typename T>
__global__ void begin_block(T* slot, T place) {
  slot[0] = place;
  slot[1] = 0;
}

template <typename T>
__global__ void next_piece(T* slot) {
  slot[1]++;
}

template <typename T>
__global__ void into_slot(const T* x, long long size, long long place, long long piece, const long long* slot) {
  T* y = (T*)(slot[0] + slot[1] * piece + place);
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += gridDim.x * (long long)blockDim.x)
    y[i] = x[i];
}

template <typename T>
__global__ void set_words(T* words, T first, T second) {
  words[0] = first;
  words[1] = second;
}

template <typename T>
__global__ void add_unless(T* words, T count, const bool* skip) {
  if (!skip || !*skip) words[1] += count;
}
