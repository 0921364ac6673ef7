"""The loss scale: the rule by which it moves, and the training steps that look for overflow.

Reading order: ``rule``, ``overflow``, ``update_cells``, ``managers``, ``scalers``, ``train_step``, ``micro_batches``.
"""
