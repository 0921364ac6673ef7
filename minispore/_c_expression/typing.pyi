"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.dtype import BFloat as BFloat, Bool as Bool, Float as Float, Int as Int, Number as Number, Type as Type, UInt as UInt
