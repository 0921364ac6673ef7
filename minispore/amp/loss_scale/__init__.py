"""The loss scale: its update rule, and the training steps that check for overflow.

Reading order: ``rule``, ``overflow``, ``update_cells``, ``managers``, ``scalers`` and ``train_step``.
"""
