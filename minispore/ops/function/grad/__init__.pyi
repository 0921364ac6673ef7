"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.autograd import grad as grad, jvp as jvp, value_and_grad as value_and_grad, vjp as vjp
