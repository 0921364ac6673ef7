"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['ForwardValueAndGrad', 'ParameterUpdate', 'TrainOneStepCell', 'WithEvalCell', 'WithGradCell', 'WithLossCell']

from minispore.nn import ForwardValueAndGrad as ForwardValueAndGrad
from minispore.nn import ParameterUpdate as ParameterUpdate
from minispore.nn import TrainOneStepCell as TrainOneStepCell
from minispore.nn import WithEvalCell as WithEvalCell
from minispore.nn import WithGradCell as WithGradCell
from minispore.nn import WithLossCell as WithLossCell
