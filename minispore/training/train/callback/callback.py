"""Callback: hooks that ``Model`` calls while it trains and evaluates; RunContext: the data of the run."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import Any
from weakref import WeakSet

from minispore.core.errors import shown, type_error
from minispore.nn.slips import closest
from minispore.ops.object_text import of_arguments

__all__ = ["Callback", "RunContext"]

_log = logging.getLogger("minispore.log")


class _NoFieldError(AttributeError, KeyError):
    """A field that the run does not have: ``hasattr`` gives False, and code for MindSpore's KeyError catches it."""

    __str__ = AttributeError.__str__


class InternalCallbackParam(dict):
    """The fields of a run, as attributes and as entries: ``cb_params.mode`` is ``cb_params["mode"]``."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise _NoFieldError(f"For 'cb_params', there must be a field '{name}', but got {sorted(self)}.") from None

    def __setattr__(self, name, value):
        self[name] = value

    def __delattr__(self, name):
        del self[name]


class RunContext:
    """The data of a run for its callbacks, and their request to stop it.

    Args:
        original_args (dict): The fields of the run.

    Raises:
        TypeError: If ``original_args`` is not a dict.

    Examples:
        >>> import minispore as ms
        >>> context = ms.train.RunContext({"cur_step_num": 3})
        >>> context.request_stop()
        >>> print(context.original_args(), context.get_stop_requested())
        {'cur_step_num': 3} True
    """

    __repr__ = of_arguments

    def __init__(self, original_args: dict[str, Any]) -> None:
        if not isinstance(original_args, dict):
            raise type_error("RunContext", "the 'original_args' must be a dict", shown(original_args))
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """The fields of the run so far, and the fields that callbacks have written."""
        return self._original_args

    def request_stop(self) -> None:
        """Ask the run to end after this step; the hooks of the epoch's and of the run's end are called."""
        self._stop_requested = True

    def get_stop_requested(self) -> Any:
        """True if a callback has asked the run to stop."""
        return self._stop_requested


class Callback:
    """Base of callbacks: a hook for the beginning and the end of runs, epochs and steps, in training and evaluation.

    Subclasses define the hooks ``on_train_*`` and ``on_eval_*`` that they need. By default each calls the hook of the
    same moment that is for both: ``begin``, ``epoch_begin``, ``step_begin``, ``step_end``, ``epoch_end``, ``end``. A
    hook gets the :class:`RunContext`. A callback is entered as a context manager before a run, and left after it, also
    if the run raises. Clean up in ``__exit__``.

    Examples:
        >>> from minispore import train
        >>> class StopAtTen(train.Callback):
        ...     def on_train_step_end(self, run_context):
        ...         if run_context.original_args().cur_step_num == 10:
        ...             run_context.request_stop()
        >>> print(StopAtTen())
        StopAtTen()
    """

    __repr__ = of_arguments

    def __enter__(self) -> Any:
        """Called before a run."""
        return self

    def __exit__(self, *err) -> Any:
        """Called after a run, with the error's type, value and traceback if there was one."""

    def begin(self, run_context) -> Any:
        """Called once, before a run."""

    def epoch_begin(self, run_context) -> Any:
        """Called before each epoch."""

    def epoch_end(self, run_context) -> Any:
        """Called after each epoch."""

    def step_begin(self, run_context) -> Any:
        """Called before each step."""

    def step_end(self, run_context) -> Any:
        """Called after each step."""

    def end(self, run_context) -> Any:
        """Called once, after a run that no error has ended."""

    def on_train_begin(self, run_context) -> None:
        """Called once, before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context) -> None:
        """Called before each epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context) -> None:
        """Called after each epoch of training, and after its evaluation if ``fit`` makes one."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context) -> None:
        """Called before each step of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context) -> None:
        """Called after each step of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context) -> None:
        """Called once, after training."""
        self.end(run_context)

    def on_eval_begin(self, run_context) -> None:
        """Called once, before an evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context) -> None:
        """Called before the pass over the data of an evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context) -> None:
        """Called after the pass over the data of an evaluation."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context) -> None:
        """Called before each step of an evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context) -> None:
        """Called after each step of an evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context) -> None:
        """Called once, after an evaluation."""
        self.end(run_context)


_HOOKS = [name for name in vars(Callback) if name.startswith("on_")]
_looked_at = WeakSet()  # the classes of callbacks whose names have been looked at
_SHARED_HOOKS = ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")


def as_list(callbacks):
    """The argument ``callbacks``, one callback or several, as a list.

    Raises:
        TypeError: If one of them is not a Callback.
    """
    if callbacks is None:
        return []
    callbacks = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
    for callback in callbacks:
        if not isinstance(callback, Callback):
            raise type_error("Model", "the 'callbacks' must be a Callback or a list of them", shown(callback))
        _warn_of_no_hooks(type(callback))
    return callbacks


def _warn_of_no_hooks(kind):
    """Warn, once for a class, of each method that has a hook's form but no hook's name, so that nothing calls it."""
    for name in () if kind in _looked_at else dir(kind):
        if name.startswith("on_") and name not in _HOOKS and callable(getattr(kind, name)):
            near = "".join(f" Did you mean '{hook}'?" for hook in closest(name.replace("on_", "on_train_"), _HOOKS))
            _log.warning("For '%s', the method '%s' is no hook: nothing calls it.%s", kind.__name__, name, near)
    _looked_at.add(kind)


def shared_hooks(callback):
    """The hooks for both training and evaluation that the callback's own class defines, unless it is this package's."""
    classes = [c for c in type(callback).__mro__ if c.__module__.partition(".")[0] != __name__.partition(".")[0]]
    return [name for name in _SHARED_HOOKS if any(name in vars(c) for c in classes)]


class CallbackList:
    """Several callbacks as one: each hook calls theirs in order; entered and left as one context manager."""

    def __init__(self, callbacks) -> None:
        self.callbacks = callbacks
        for name in _HOOKS:
            setattr(self, name, _together([getattr(callback, name) for callback in callbacks if _has(callback, name)]))

    def __enter__(self) -> Any:
        self._stack = ExitStack()
        with self._stack:
            for callback in self.callbacks:
                self._stack.enter_context(callback)
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *err) -> Any:
        return self._stack.__exit__(*err)


def _has(callback, name):
    """True if a hook does anything: an empty one is not called in every step."""
    kind, general = type(callback), name.split("_", 2)[2]
    if any(hook in vars(callback) for hook in (name, general)):
        return True
    return getattr(kind, name) is not getattr(Callback, name) or getattr(kind, general) is not getattr(
        Callback, general
    )


def _together(hooks):
    """A hook that calls each of ``hooks``."""

    def hook(run_context):
        for each in hooks:
            each(run_context)

    return hook
