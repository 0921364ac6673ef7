"""Division of large arrays: blocks that stay in the cache, pieces of a batch, aligned memory."""
