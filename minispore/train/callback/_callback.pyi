"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.train.callback.callback import *
from minispore.train.callback.parts import _CallbackManager as _CallbackManager, _handle_loss as _handle_loss, set_cur_net as set_cur_net
