"""Drawn pipelines of fixed order: a source, samplers, and operations that do not shuffle.

A pipeline is a nest of lists that json can hold: ``["slices", 7]``, ``["batch", PIPELINE, 3, false]``. ``built`` makes
it with the ``dataset`` of either package, and ``rows_of`` reads it: names, sizes, and the rows of two epochs.
"""

import random

import numpy as np

FUNCTIONS = {
    "double": lambda x: x * x.dtype.type(2),
    "pair": lambda x: (x, x + x.dtype.type(1)),
    "add": lambda x, y: x + y,
    "swap": lambda x, y: (y, x),
    "range": lambda x: np.arange(int(x) % 4 + 1, dtype=np.int32),
}
PREDICATES = {"even": lambda x: int(np.sum(x)) % 2 == 0, "small": lambda x: bool(np.sum(x) < 20)}


class Rows:
    """An object that can be indexed: row ``i`` is ``i`` and ``i * i / 2`` in float32."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return np.array(i, np.int64), np.array(i * i / 2, np.float32)


# Drawing


class Drawn:
    """Draws one pipeline, keeping track of its columns and whether its rows may be stacked or halved."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.fresh = 0

    def pipeline(self):
        """A source and up to five operations."""
        spec, columns = self.source()
        scalar = True  # rows are numbers: of one shape, fit for functions of numbers
        for _ in range(self.random.randint(0, 5)):
            choices = ["skip", "take", "repeat", "rename", "project", "filter", "map"]
            choices += ["batch", "batch", "padded", "zip", "concat", "split", "batchmap", "bucket"] if scalar else []
            spec, columns, scalar = getattr(self, f"add_{self.random.choice(choices)}")(spec, columns, scalar)
        return spec

    def name(self):
        self.fresh += 1
        return f"c{self.fresh}"

    def source(self):
        count = self.random.randint(3, 11)
        kind = self.random.choice(["slices", "rows"])
        columns = (
            [self.name() for _ in range(self.random.randint(1, 3))] if kind == "slices" else [self.name(), self.name()]
        )
        return [kind, count, columns, self.options(count)], columns

    def options(self, count):
        """No sampler, a shard, or a sampler with or without a child."""
        kind = self.random.choice(["none", "none", "shard", "sampler", "chain"])
        if kind == "none":
            return {"num_samples": self.random.choice([None, None, 2, 20])}
        if kind == "shard":
            shards = self.random.randint(1, 4)
            return {"num_shards": shards, "shard_id": self.random.randrange(shards)}
        child = self.sampler(count) if kind == "chain" else None
        # two rows are left by every child, so that a parent may ask for the second
        return {"sampler": self.sampler(2 if child else count), "child": child}

    def sampler(self, count):
        number = self.random.choice([None, None, 2, 3]) if count > 2 else None  # a parent of few rows takes all
        kind = self.random.choice(["sequential", "distributed", "subset", "iter"])
        if kind == "sequential":
            return [kind, self.random.randrange(count - 1), number]
        if kind == "distributed":
            shards = self.random.randint(1, 3)
            shard, offset = self.random.randrange(shards), self.random.choice([-1, -1, 0, 1])
            return [kind, shards, shard, min(offset, shards - 1) if count > 4 else -1, number]
        indices = [self.random.randrange(count) for _ in range(self.random.randint(2, min(count, 5)))]
        return [kind, indices, number]

    def add_skip(self, spec, columns, scalar):
        return ["skip", spec, self.random.randint(0, 3)], columns, scalar

    def add_take(self, spec, columns, scalar):
        return ["take", spec, self.random.choice([-1, 1, 2, 4, 7])], columns, scalar

    def add_repeat(self, spec, columns, scalar):
        return ["repeat", spec, self.random.randint(1, 3)], columns, scalar

    def add_rename(self, spec, columns, scalar):
        old, new = self.random.choice(columns), self.name()
        return ["rename", spec, [old], [new]], [new if c == old else c for c in columns], scalar

    def add_project(self, spec, columns, scalar):
        kept = self.random.sample(columns, self.random.randint(1, len(columns)))
        return ["project", spec, kept], kept, scalar

    def add_filter(self, spec, columns, scalar):
        return ["filter", spec, self.random.choice(list(PREDICATES)), [self.random.choice(columns)]], columns, scalar

    def add_map(self, spec, columns, scalar):
        name = self.random.choice([*FUNCTIONS] if scalar else ["double", "pair"])
        taken = self.random.sample(columns, 2 if name in ("add", "swap") else 1) if len(columns) > 1 else columns
        if len(columns) == 1 and name in ("add", "swap"):
            name = "double"
        outputs = {"pair": 2, "add": 1, "swap": 2}.get(name, 1)
        new = [self.name() for _ in range(outputs)]
        if len(new) == len(taken):
            renamed = {old: new[i] for i, old in enumerate(taken)}
            after = [renamed.get(c, c) for c in columns]
        else:
            after = [*new, *(c for c in columns if c not in taken)]
        return ["map", spec, name, taken, new], after, scalar and name != "range"

    def add_batch(self, spec, columns, scalar):
        return ["batch", spec, self.random.randint(1, 4), False], columns, False

    def add_padded(self, spec, columns, scalar):
        column = self.random.choice(columns)
        inner = ["map", spec, "range", [column], [column]]
        pad = self.random.choice([{}, {column: [[5], -1]}, {column: [None, 7]}, {column: [[2], 0]}])
        return ["padded", inner, self.random.randint(1, 4), pad], columns, False

    def add_bucket(self, spec, columns, scalar):
        column = self.random.choice(columns)
        inner = ["project", ["map", spec, "range", [column], [column]], [column]]
        sizes = [self.random.randint(1, 3) for _ in range(3)]
        return ["bucket", inner, [column], [2, 4], sizes, self.random.choice([True, False])], [column], False

    def add_batchmap(self, spec, columns, scalar):
        return ["batchmap", spec, self.random.randint(1, 4), [self.random.choice(columns)]], columns, False

    def add_zip(self, spec, columns, scalar):
        other, more = self.source()
        return ["zip", spec, other], [*columns, *more], scalar

    def add_concat(self, spec, columns, scalar):
        return ["concat", spec, ["take", spec, 2]], columns, scalar

    def add_split(self, spec, columns, scalar):
        return ["split", spec, self.random.choice([0, 1])], columns, scalar


def drawn(number):
    """The pipeline of a number."""
    return Drawn(number).pipeline()


# Making


def sampler_of(ds, spec):
    """A sampler of a package."""
    kind, *rest = spec
    if kind == "sequential":
        return ds.SequentialSampler(*rest)
    if kind == "distributed":
        shards, shard, offset, number = rest
        return ds.DistributedSampler(shards, shard, shuffle=False, num_samples=number, offset=offset)
    return (ds.SubsetSampler if kind == "subset" else ds.IterSampler)(*rest)


def options_of(ds, options):
    """The keywords of a source."""
    if "sampler" not in options:
        return {"shuffle": False, **options}
    sampler = sampler_of(ds, options["sampler"])
    if options["child"]:
        sampler.add_child(sampler_of(ds, options["child"]))
    return {"sampler": sampler}


def built(ds, spec):
    """The pipeline, made with the ``dataset`` of a package."""
    kind, first, *rest = spec
    if kind == "slices":
        arrays = {name: np.arange(first) * 10**i for i, name in enumerate(rest[0])}
        return ds.NumpySlicesDataset(arrays, **options_of(ds, rest[1]))
    if kind == "rows":
        return ds.GeneratorDataset(Rows(first), rest[0], **options_of(ds, rest[1]))
    if kind == "zip":
        return ds.zip((built(ds, first), built(ds, rest[0])))
    if kind == "concat":
        return built(ds, first) + built(ds, rest[0])
    return OPERATIONS[kind](built(ds, first), *rest)


def halves(dataset, which):
    """One of two parts; a dataset of one row is left whole."""
    total = dataset.get_dataset_size()
    return dataset if total < 2 else dataset.split([total // 2, total - total // 2], randomize=False)[which]


OPERATIONS = {
    "skip": lambda d, count: d.skip(count),
    "take": lambda d, count: d.take(count),
    "repeat": lambda d, count: d.repeat(count),
    "rename": lambda d, old, new: d.rename(old, new),
    "project": lambda d, columns: d.project(columns),
    "filter": lambda d, name, columns: d.filter(PREDICATES[name], columns),
    "map": lambda d, name, taken, new: d.map(FUNCTIONS[name], taken, new),
    "batch": lambda d, size, drop: d.batch(size, drop),
    "padded": lambda d, size, pad: d.padded_batch(size, pad_info={k: tuple(v) for k, v in pad.items()}),
    "bucket": lambda d, columns, bounds, sizes, to: d.bucket_batch_by_length(
        columns, bounds, sizes, pad_info={columns[0]: (None, -1)}, pad_to_bucket_boundary=to
    ),
    "batchmap": lambda d, size, columns: d.batch(
        size,
        per_batch_map=lambda x, info: ([v * v.dtype.type(3) + v.dtype.type(info.get_batch_num()) for v in x],),
        input_columns=columns,
    ),
    "split": halves,
}


def rows_of(ds, spec):
    """Names, size and rows of two epochs, as json and a list of arrays; the error's kind alone where one is raised."""
    try:
        dataset = built(ds, spec)
        names = dataset.get_col_names()
        iterator = dataset.create_tuple_iterator(num_epochs=2, output_numpy=True)
        epochs = [[[np.array(value) for value in row] for row in iterator] for _ in range(2)]
        return {"names": names, "size": dataset.get_dataset_size(), "rows": [len(e) for e in epochs]}, [
            value for epoch in epochs for row in epoch for value in row
        ]
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {str(error)[:400]}"}, []
