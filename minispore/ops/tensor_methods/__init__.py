"""Tensor's methods and operators, as tables of functions that ``operators`` installs."""
