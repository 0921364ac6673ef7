"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['ASGD', 'AdaFactor', 'AdaMax', 'Adadelta', 'Adagrad', 'Adam', 'AdamOffload', 'AdamWeightDecay', 'FTRL', 'LARS', 'Lamb', 'LazyAdam', 'LearningRateSchedule', 'Momentum', 'Optimizer', 'ProximalAdagrad', 'RMSProp', 'Rprop', 'SGD']

from minispore.nn import ASGD as ASGD
from minispore.nn import AdaFactor as AdaFactor
from minispore.nn import AdaMax as AdaMax
from minispore.nn import Adadelta as Adadelta
from minispore.nn import Adagrad as Adagrad
from minispore.nn import Adam as Adam
from minispore.nn import AdamOffload as AdamOffload
from minispore.nn import AdamWeightDecay as AdamWeightDecay
from minispore.nn import FTRL as FTRL
from minispore.nn import LARS as LARS
from minispore.nn import Lamb as Lamb
from minispore.nn import LazyAdam as LazyAdam
from minispore.nn import LearningRateSchedule as LearningRateSchedule
from minispore.nn import Momentum as Momentum
from minispore.nn import Optimizer as Optimizer
from minispore.nn import ProximalAdagrad as ProximalAdagrad
from minispore.nn import RMSProp as RMSProp
from minispore.nn import Rprop as Rprop
from minispore.nn import SGD as SGD
from minispore.nn.optim import dynamic_lr as dynamic_lr
from minispore.nn.optim import learning_rate_schedule as learning_rate_schedule
