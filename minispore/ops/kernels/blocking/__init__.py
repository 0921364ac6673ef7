"""How large arrays are divided: blocks that stay in the cache, pieces of a batch, aligned memory."""
