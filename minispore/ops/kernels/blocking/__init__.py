"""How large arrays are cut: blocks that stay in the cache, pieces of a batch, aligned memory."""
