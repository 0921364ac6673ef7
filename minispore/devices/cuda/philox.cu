// Philox4x64-10 (Salmon, Moraes, Dror and Shaw, 2011): the words that philox.py names, of which they are the reference.

typedef unsigned long long Word;
#define DRAWN_BY_KEY 0     // the streams whose key holds how many streams were drawn before
#define DRAWN_BY_NUMBER 2  // those whose number does

struct Philox {
  Word first_key, second_key, number, domain;

  // The four words of a block of the stream.
  __device__ void block(Word index, Word* words) const {
    Word c0 = index + 1, c1 = 0, c2 = number, c3 = domain, k0 = first_key, k1 = second_key;
    for (int round = 0; round < 10; round++) {
      Word a = c0 * 0xD2E7470EE14C6C93ull, above_a = __umul64hi(c0, 0xD2E7470EE14C6C93ull);
      Word b = c2 * 0xCA5A826395121157ull, above_b = __umul64hi(c2, 0xCA5A826395121157ull);
      c0 = above_b ^ c1 ^ k0;
      c1 = b;
      c2 = above_a ^ c3 ^ k1;
      c3 = a;
      k0 += 0x9E3779B97F4A7C15ull;
      k1 += 0xBB67AE8584CAA73Bull;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
  }
};

// The stream of a name. drawn is null, or the seed and how many streams were drawn before those that the name counts.
__device__ inline Philox stream_of(Word first_key, Word second_key, Word number, Word domain, const Word* drawn) {
  if (drawn && domain == DRAWN_BY_KEY) return Philox{drawn[0], second_key + drawn[1], number, domain};
  if (drawn && domain == DRAWN_BY_NUMBER) return Philox{first_key, second_key, number + drawn[1], domain};
  return Philox{first_key, second_key, number, domain};
}

// The words `start` to `start + count` of a stream. A thread takes one block of four.
extern "C" __global__ void philox_words(Word first_key, Word second_key, Word number, Word domain, const Word* drawn,
                                        Word start, Word count, Word* out) {
  Word index = start / 4 + (Word)blockIdx.x * blockDim.x + threadIdx.x, words[4];
  if (4 * index >= start + count) return;
  stream_of(first_key, second_key, number, domain, drawn).block(index, words);
  for (int j = 0; j < 4; j++) {
    Word at = 4 * index + j - start;  // beyond count where the word comes before start
    if (at < count) out[at] = words[j];
  }
}
