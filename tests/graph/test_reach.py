"""Which functions of Python, NumPy and this package give what more than their arguments decides."""

import builtins
import contextlib
import copy
import dataclasses
import datetime
import io
import logging
import math
import operator
import os
import pathlib
import random
import re
import sys
import threading
import time
import types

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.graph.reach import reads_any_attribute, reads_elsewhere


def name(value):
    return getattr(value, "__qualname__", type(value).__name__)


ELSEWHERE = [
    builtins.open,
    builtins.eval,
    builtins.exec,
    builtins.globals,
    builtins.input,
    io.open,
    time.time,
    os.getenv,
]
ELSEWHERE += [os.stat, os.path.exists, pathlib.Path, pathlib.Path.read_text, random.Random, sys.getrecursionlimit]
ELSEWHERE += [
    threading.current_thread,
    datetime.datetime.now,
    datetime.date.today,
    logging.getLogger,
    types.FunctionType,
]
ELSEWHERE += [
    np.load,
    np.fromfile,
    np.memmap,
    np.geterr,
    np.random.default_rng,
    np.random.rand,
    np.loadtxt,
    np.frompyfunc,
]
ELSEWHERE += [ms.load_checkpoint, ms.save_checkpoint, ms.get_level, contextlib.closing, types.CodeType]
PURE = [
    builtins.len,
    builtins.print,
    builtins.sorted,
    builtins.isinstance,
    math.sin,
    operator.add,
    re.compile,
    copy.copy,
]
PURE += [
    datetime.datetime,
    datetime.timedelta,
    logging.info,
    np.array,
    np.sum,
    np.linalg.norm,
    np.errstate,
    ops.relu,
    int,
]
PURE += [dict.fromkeys, [].append, {}.get, "".join, contextlib.contextmanager, dataclasses.dataclass, ms.get_context]
MADE = [
    getattr,
    hasattr,
    vars,
    dir,
    setattr,
    delattr,
    operator.attrgetter,
    operator.methodcaller,
    copy.copy,
    copy.deepcopy,
]
MADE += [
    dataclasses.asdict,
    dataclasses.replace,
    object.__getattribute__,
    object().__getattribute__,
    str.format,
    "".format,
]


@pytest.mark.parametrize("value", ELSEWHERE, ids=name)
def test_it_reads_elsewhere(value):
    assert reads_elsewhere(value)


@pytest.mark.parametrize("value", PURE, ids=name)
def test_it_reads_its_arguments(value):
    assert not reads_elsewhere(value)


@pytest.mark.parametrize("value", MADE, ids=name)
def test_it_reads_attributes_by_made_names(value):
    assert reads_any_attribute(value)


@pytest.mark.parametrize("value", [len, isinstance, math.sin, operator.add, np.sum, [].append, ops.relu, int], ids=name)
def test_it_reads_no_attributes(value):
    assert not reads_any_attribute(value)
