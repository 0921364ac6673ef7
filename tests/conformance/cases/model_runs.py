"""Runs of Model with every callback, as the lines that they print: the same under MindSpore and minispore."""

import contextlib
import io
import os
import random
import re
import tempfile

import numpy as np


class Runs:
    """The runs, over a module ``ms``; each public method is one, and prints."""

    def __init__(self, ms):
        self.ms, self.nn, self.train, self.dataset = ms, ms.nn, ms.train, ms.dataset

    def data(self, n=12, batch=4):
        x = np.arange(n * 2, dtype=np.float32).reshape(n, 2) / 10
        y = np.arange(n, dtype=np.float32).reshape(n, 1) / 10
        return self.dataset.NumpySlicesDataset({"data": x, "label": y}, shuffle=False).batch(batch)

    def model(self, metrics=None, **kwargs):
        net = self.nn.Dense(2, 1, weight_init=self.ms.Tensor([[0.1, 0.2]], self.ms.float32), bias_init="zeros")
        optimizer = self.nn.Momentum(net.trainable_params(), 0.01, 0.9)
        return self.train.Model(net, self.nn.MSELoss(), optimizer, metrics=metrics, **kwargs)

    def spy(self):
        """A callback that prints, at each hook, the fields that have changed."""
        last = {}

        def show(value):
            if isinstance(value, self.ms.Tensor):
                return f"Tensor{value.shape}"
            if isinstance(value, (list, tuple)):
                return [show(part) for part in value]
            if isinstance(value, dict):
                return {name: show(part) for name, part in sorted(value.items())}
            if isinstance(value, (int, str, type(None))):
                return value
            return float(value) if isinstance(value, (float, np.floating)) else type(value).__name__

        def hook(name):
            def call(self, run_context):
                fields = {key: show(value) for key, value in run_context.original_args().items()}
                fields.pop("list_callback", None)  # MindSpore adds one of its own
                new = {key: value for key, value in fields.items() if last.get(key, ...) != value}
                gone = [key for key in last if key not in fields]
                last.clear()
                last.update(fields)
                print(name, dict(sorted(new.items())), sorted(gone))

            return call

        names = [f"on_{mode}_{part}" for mode in ("train", "eval") for part in ("begin", "end")]
        names += [f"on_{m}_{p}_{e}" for m in ("train", "eval") for p in ("epoch", "step") for e in ("begin", "end")]
        return type("Spy", (self.train.Callback,), {name: hook(name) for name in names})()

    def fields_of_train(self):
        self.model().train(2, self.data(), [self.spy(), self.train.LossMonitor()])

    def fields_of_train_in_sink_mode(self):
        self.model().train(2, self.data(), [self.spy(), self.train.LossMonitor()], dataset_sink_mode=True, sink_size=2)

    def fields_of_train_from_an_epoch(self):
        self.model().train(3, self.data(), [self.spy(), self.train.LossMonitor(2)], initial_epoch=1)

    def fields_of_eval(self):
        self.model({"mae"}).eval(self.data(), [self.spy(), self.train.LossMonitor(), self.train.TimeMonitor()])

    def fields_of_fit(self):
        self.model({"mae"}).fit(3, self.data(), self.data(8), 2, [self.spy(), self.train.LossMonitor()])

    def lines_of_fit(self):
        callbacks = [self.train.LossMonitor(2), self.train.TimeMonitor()]
        self.model({"mae"}).fit(4, self.data(), self.data(8), [1, 4], callbacks, initial_epoch=1)

    def monitors_used_again(self):
        model, monitor = self.model({"mse"}), self.train.LossMonitor(2)
        model.train(1, self.data(), monitor)
        model.train(2, self.data(), monitor)
        print(model.eval(self.data(), monitor))
        print(model.eval(self.data(), monitor))

    def the_order_of_old_hooks(self):
        def hook(name):
            return lambda self, run_context: print(name)

        names = ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
        old = type("Old", (self.train.Callback,), {name: hook(name) for name in names})()
        self.model().train(1, self.data(), old)
        self.model({"mae"}).eval(self.data(), old)

    def stops(self):
        class Stop(self.train.Callback):
            def on_train_step_end(self, run_context):
                if run_context.original_args().cur_step_num == 2:
                    run_context.request_stop()

        self.model().train(3, self.data(), [Stop(), self.spy()])

    def amp_levels(self):
        for level in ("O0", "O2", "O3"):
            manager = self.train.FixedLossScaleManager(8.0, drop_overflow_update=False) if level == "O3" else None
            net = self.nn.Dense(2, 1, weight_init=self.ms.Tensor([[0.1, 0.2]], self.ms.float32), bias_init="zeros")
            optimizer = self.nn.Momentum(net.trainable_params(), 0.01, 0.9, loss_scale=8.0 if manager else 1.0)
            loss = self.nn.MSELoss()
            model = self.train.Model(net, loss, optimizer, {"mae"}, amp_level=level, loss_scale_manager=manager)
            model.train(2, self.data(), self.train.LossMonitor())
            print(level, model.eval(self.data()), model.predict(self.ms.Tensor([[1.0, 2.0]], self.ms.float32)).dtype)

    def early_stopping(self):
        cases = [
            ([1.0, 2, 3, 2, 1, 1], {}),
            ([1.0, 2, 3, 2, 1, 1], {"patience": 2, "verbose": True, "mode": "max"}),
            ([3.0, 2, 1, 1, 1, 1], {"patience": 2, "mode": "min"}),
            ([1.0, 2, 1, 1, 1], {"patience": 1, "mode": "max", "restore_best_weights": True, "verbose": True}),
            ([1.0, 1.2, 1.3, 1.4], {"patience": 1, "mode": "max", "min_delta": 0.5}),
            ([1.0, 0.5, 0.3, 0.4], {"patience": 1, "monitor": "loss"}),
            ([1.0, 0.5, 0.3, 0.4], {"patience": 1, "monitor": "eval_loss"}),
            ([1.0, 0.5, 0.3, 0.4], {"patience": 1, "monitor": "other"}),
            ([1.0, float("nan"), 0.3, 0.4], {"patience": 1}),
            ([1.0, 1.2, 1.3, 1.4], {"min_delta": 0.3, "mode": "min"}),
        ]
        for values, options in cases:
            callback = self.train.EarlyStopping(**{"monitor": "acc"} | options)
            self._fit_with(values, callback)
            print(callback.wait, callback.stopped_epoch, float(callback.best))

    def reduce_lr_on_plateau(self):
        cases = [
            ([1.0] * 6, {"patience": 2, "verbose": True, "mode": "min"}),
            ([1.0] * 8, {"patience": 1, "factor": 0.5, "cooldown": 2, "verbose": True, "mode": "max"}),
            ([1.0] * 5, {"patience": 1, "min_lr": 0.005, "verbose": True}),
            ([1.0, 0.99999, 1.0, 1.0], {"patience": 1, "mode": "min", "min_delta": 0.1}),
            ([1.0] * 3, {"patience": 0, "monitor": "loss"}),
        ]
        for values, options in cases:
            self._fit_with(values, self.train.ReduceLROnPlateau(**{"monitor": "acc"} | options))

    def _fit_with(self, values, callback):
        """Fit with a metric, "acc", that has the given values, one for each epoch."""
        rest = iter(values)

        class Given(self.train.Metric):
            def clear(self):
                pass

            def update(self, *inputs):
                pass

            def eval(self):
                return next(rest)

        def show(run_context):
            fields = run_context.original_args()
            print(fields.cur_epoch_num, float(fields.optimizer.learning_rate.asnumpy()))

        callbacks = [callback, self.train.LambdaCallback(on_train_epoch_end=show)]
        model = self.model({"acc": Given()})
        model.fit(len(values), self.data(), self.data(8), callbacks=callbacks)
        print([float(x) for x in model._network.weight.asnumpy().ravel()])

    def what_auto_means(self):
        for name in (
            "acc",
            "mae",
            "loss",
            "eval_loss",
            "F1",
            "perplexity",
            "hausdorff_distance",
            "train_loss",
            "other",
        ):
            callback = self.train.EarlyStopping(name)
            callback.on_train_begin(None)
            print(name, float(callback.best))

    def learning_rate_scheduler(self):
        def halved(rate, step):
            print(rate, step)
            return rate * 0.5

        model = self.model()
        model.train(1, self.data(), self.train.LearningRateScheduler(halved))
        print(float(model._optimizer.learning_rate.asnumpy()))

    def history(self):
        history, model = self.train.History(), self.model({"mae"})
        model.fit(3, self.data(), self.data(8), 2, history)
        model.train(2, self.data(), history)
        print(history.epoch, {name: [float(value) for value in values] for name, values in history.history.items()})

    def checkpoints(self):
        config = self.train.CheckpointConfig
        rows = [
            (2, None, {}),
            (1, None, {}),  # the same prefix again
            (3, config(2, keep_checkpoint_max=2), {}),
            (2, config(5, keep_checkpoint_max=2), {}),
            (2, config(None, 100, 5), {}),
            (2, config(2, None, None, 1), {}),
            (2, config(2, None, 0, 0), {}),
            (3, config(2), {"initial_epoch": 1}),
            (2, config(2), {"dataset_sink_mode": True, "sink_size": 2}),
        ]
        with tempfile.TemporaryDirectory() as folder:
            for i, (epochs, settings, options) in enumerate(rows):
                place = f"{folder}/{max(i, 1)}"
                callback = self.train.ModelCheckpoint("n", place, settings)
                self.model().train(epochs, self.data(), callback, **options)
                print(os.path.basename(callback.latest_ckpt_file_name), sorted(os.listdir(place)))

    def checkpoints_of_fit(self):
        draw = random.Random(21)
        for _ in range(60):
            samples, epochs = draw.choice([4, 8, 12, 16]), draw.randint(2, 10)
            steps, most = draw.choice([1, 2, 3, 4, 5, 7, 8, 12, 20, 50]), draw.choice([1, 2, 5, 99])
            frequency = draw.choice([1, 2, 3, sorted(draw.sample(range(1, 9), 3))])
            first, valid = draw.choice([0, 0, 1, epochs // 2]), draw.choice([4, 8, 20])
            settings = self.train.CheckpointConfig(steps, keep_checkpoint_max=most)
            with tempfile.TemporaryDirectory() as folder:
                callbacks = [self.train.ModelCheckpoint("n", folder, settings)]
                arguments = (epochs, self.data(samples), self.data(valid), frequency, callbacks)
                self.model({"mae"}).fit(*arguments, initial_epoch=first)
                kept = sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))
            print((samples // 4, first, epochs, steps, most, frequency, valid), kept)

    def own_data_set(self, log, size, apart):
        """A data set that is no Dataset, as tests and old scripts write them; ``log`` gets what is asked of it."""
        ms = self.ms

        class Rows:
            def __init__(self):
                self.left = size

            def __iter__(self):
                return self

            def __next__(self):
                if not self.left:
                    raise StopIteration
                self.left -= 1
                log.append("row")
                return ms.Tensor(np.ones((4, 2), np.float32)), ms.Tensor(np.ones((4, 1), np.float32))

        class Own(Rows):
            def __init__(self):
                super().__init__()
                self.rows = Rows() if apart else self

            def get_dataset_size(self):
                return size

            def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
                log.append("iterator")
                return self.rows

            def reset(self):
                log.append("reset")
                self.rows.left = size

        return Own()

    def data_sets_of_ones_own(self):
        draw = random.Random(8)

        class Stop(self.train.Callback):
            def __init__(self, step):
                super().__init__()
                self.step = step

            def on_train_step_end(self, run_context):
                if run_context.original_args().cur_step_num == self.step:
                    run_context.request_stop()

        for _ in range(40):
            sizes, epochs, frequency = (draw.randint(1, 3), draw.randint(1, 3)), draw.randint(1, 4), draw.randint(1, 3)
            apart, kind, stop = draw.random() < 0.5, draw.choice(["train", "fit", "eval"]), draw.choice([0, 2])
            trained, tested = [], []
            data, valid = (self.own_data_set(log, n, apart) for log, n in zip((trained, tested), sizes))  # noqa: B905
            model, callbacks = self.model({"mae"}), [Stop(stop)] if stop else []
            if kind == "train":
                model.train(epochs, data, callbacks, dataset_sink_mode=False)
            elif kind == "eval":
                for _ in range(epochs):
                    model.eval(valid, dataset_sink_mode=False)
            else:
                sinks = {"dataset_sink_mode": False, "valid_dataset_sink_mode": False}
                model.fit(epochs, data, valid, frequency, callbacks, **sinks)
            print((kind, sizes, epochs, frequency, apart, stop), " ".join(trained), "-", " ".join(tested))

    def what_is_in_a_checkpoint(self):
        with tempfile.TemporaryDirectory() as folder:
            info = ["epoch_num", "step_num", {"a": 1, "b": 2.5}]
            settings = self.train.CheckpointConfig(4, append_info=info, async_save=True)
            self.model().train(2, self.data(), self.train.ModelCheckpoint("n", folder, settings))
            for name, p in self.ms.load_checkpoint(f"{folder}/n-2_3.ckpt").items():
                print(name, [float(x) for x in np.asarray(p.asnumpy()).ravel()])

    def checkpoints_of_runs_that_fail(self):
        for error in (RuntimeError, KeyboardInterrupt):
            for saves in (False, True):

                class Fails(self.train.Callback):
                    def on_train_step_end(self, run_context):
                        if run_context.original_args().cur_step_num == 4:
                            raise error  # noqa: B023 - called before the next turn

                    def on_train_end(self, run_context):
                        print("end")

                    def __exit__(self, *err):
                        print("left", err[0] and err[0].__name__)

                with tempfile.TemporaryDirectory() as folder:
                    settings = self.train.CheckpointConfig(100, exception_save=saves)
                    with contextlib.suppress(error):
                        callbacks = [self.train.ModelCheckpoint("n", folder, settings), Fails()]
                        self.model().train(3, self.data(), callbacks)
                    print(sorted(os.listdir(folder)))

    def a_checkpoint_of_a_fit_that_fails_in_an_evaluation(self):
        class Fails(self.train.Callback):
            def on_eval_step_end(self, run_context):
                raise KeyError("planted")

        with tempfile.TemporaryDirectory() as folder:
            settings = self.train.CheckpointConfig(100, exception_save=True)
            callbacks = [self.train.ModelCheckpoint("n", folder, settings), Fails()]
            with contextlib.suppress(KeyError):
                self.model({"mae"}).fit(3, self.data(), self.data(8), 2, callbacks)
            print(sorted(os.listdir(folder)))

    def outputs_of_an_eval_network(self):
        train, nn = self.train, self.nn

        class Network(nn.Cell):
            def construct(self, x, y):
                return x.sum(), x, y

        class Shapes(train.Metric):
            def clear(self):
                pass

            def update(self, *inputs):
                print([x.shape for x in inputs])

            def eval(self):
                return 1

        network = Network()
        for indexes in (None, [0, 1, 2], [1, 0, 2], [0, -1, 1]):
            for chosen in (None, [0, 2]):
                metric = Shapes() if chosen is None else Shapes().set_indexes(chosen)
                model = train.Model(network, eval_network=network, metrics={"a": metric}, eval_indexes=indexes)
                print(indexes, chosen, model.eval(self.data(4)))

    def lines(self):
        """The lines of each run, by its name; times are left out."""
        found = {}
        for name, run in sorted(vars(type(self)).items()):
            if name.startswith("_") or name in ("data", "model", "spy", "lines", "own_data_set"):
                continue
            with contextlib.redirect_stdout(io.StringIO()) as out:
                run(self)
            found[name] = re.sub(r"[\d.]+ ms", "_ ms", out.getvalue()).splitlines()
        return found
