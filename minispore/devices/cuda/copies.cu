// Results of a captured step go where the host tells the device in ``slot``: a block's place, and a piece's number.

template <typename T>
__global__ void begin_block(T* slot, T place) {
  slot[0] = place;
  slot[1] = 0;
}

// A copy: where to, where from, how many bytes, of which kind; and where the bytes go that it overwrites, or -1.
struct Copy {
  long long to, from, size, kind, old;
};
enum { ALWAYS, UNLESS, RESULT };  // to a place; the same, unless the step is skipped; into the slot's piece

template <typename T>
__device__ void copied(T* to, const T* from, T* old, long long size) {
  long long step = gridDim.x * (long long)blockDim.x;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < size; i += step) {
    if (old) old[i] = to[i];
    if (from) to[i] = from[i];
  }
}

// A row of blocks for each copy. The block that ends last goes on to the slot's next piece.
template <typename T>
__global__ void deliver(const T* table, T* slot, T piece, const bool* skip, unsigned* counter) {
  Copy copy = ((const Copy*)table)[blockIdx.y];
  char* results = (char*)(slot[0] + slot[1] * piece);
  char* to = copy.kind == RESULT ? results + copy.to : (char*)copy.to;
  char* from = copy.kind == UNLESS && skip && *skip ? nullptr : (char*)copy.from;
  char* old = copy.old < 0 ? nullptr : results + copy.old;
  if (((size_t)to | (size_t)from | (size_t)old | (size_t)copy.size) % 4) copied(to, from, old, copy.size);
  else copied((unsigned*)to, (unsigned*)from, (unsigned*)old, copy.size / 4);
  if (is_last(counter, gridDim.x * gridDim.y) && threadIdx.x == 0) slot[1]++;
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
