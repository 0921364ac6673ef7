"""Metrics of texts: BLEU of translations, and the perplexity of a language model."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int
from minispore.core.errors import runtime_error, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["BleuScore", "Perplexity"]


def _ngrams(words, most):
    """The count of each sequence of 1 to ``most`` words."""
    return Counter(tuple(words[i : i + n]) for n in range(1, most + 1) for i in range(len(words) - n + 1))


class BleuScore(Metric):
    """BLEU of translations against one or more reference translations each, over all sentences together.

    Args:
        n_gram (int): The longest sequences of words that are compared, 1 to 4. Default: 4.
        smooth (bool): If True, the counts of sequences of two or more words are raised by 1. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``n_gram`` is not in 1 to 4.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.BleuScore(n_gram=2)
        >>> metric.update([["the", "cat", "sat"]], [[["the", "cat", "sat", "down"]]])
        >>> print(f"{metric.eval():.4f}")
        0.7165
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        super().__init__()
        self.n_gram = check_int("BleuScore", "n_gram", n_gram, 1, 5)
        self.smooth = check_bool("BleuScore", "smooth", smooth)
        self.clear()

    def clear(self) -> None:
        """Forget all sentences."""
        self._numerator, self._denominator = np.zeros(self.n_gram), np.zeros(self.n_gram)
        self._trans_len = self._ref_len = 0

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add sentences: ``(translations, references)``, lists of words, and for each a list of lists of words.

        Raises:
            ValueError: If there are not two inputs, or their lengths differ.
        """
        if len(inputs) != 2:
            raise value_error("BleuScore.update", "there must be 2 inputs", len(inputs))
        translations, references = inputs
        if len(translations) != len(references):
            got = f"{len(translations)} and {len(references)}"
            raise value_error("BleuScore.update", "there must be references for each translation", got)
        for words, several in zip(translations, references, strict=True):
            self._add(words, several)

    def _add(self, words, references):
        lengths = [len(reference) for reference in references]
        self._trans_len += len(words)
        self._ref_len += min(lengths, key=lambda length: abs(length - len(words)))
        known = Counter()
        for reference in references:
            known |= _ngrams(reference, self.n_gram)
        found = _ngrams(words, self.n_gram)
        for ngram, count in (found & known).items():
            self._numerator[len(ngram) - 1] += count
        for ngram, count in found.items():
            self._denominator[len(ngram) - 1] += count

    def eval(self) -> Any:
        """The score, 0 if no sequence of some length is right.

        Raises:
            RuntimeError: If there were no sentences.
        """
        self._mean(0, self._trans_len)
        if self._numerator.min() == 0:
            return 0.0
        raised = np.where(np.arange(self.n_gram) > 0, int(self.smooth), 0)
        precisions = (self._numerator + raised) / (self._denominator + raised)
        short = min(1.0, np.exp(1 - self._ref_len / self._trans_len))
        return short * np.exp(np.log(precisions).mean())


class Perplexity(Metric):
    """``exp(-sum(log p(label)) / labels)``, of the probabilities of a language model.

    Args:
        ignore_label (int): A label that does not count; None for none. Default: None.

    Raises:
        TypeError: If ``ignore_label`` is not an int.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Perplexity()
        >>> metric.update(ms.Tensor([[0.5, 0.5], [0.25, 0.75]]), ms.Tensor([0, 1]))
        >>> print(f"{metric.eval():.4f}")
        1.6330
    """

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        self.ignore_label = None if ignore_label is None else check_int("Perplexity", "ignore_label", ignore_label)
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._sum_metric, self._num_inst = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(probabilities, labels)``: shapes ``(..., C)`` and ``(...)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or a label is not in [0, C).
            RuntimeError: If the shapes do not fit.
        """
        probabilities, label = self._taken(inputs, 2)
        if not probabilities.ndim or label.size * probabilities.shape[-1] != probabilities.size:
            got = f"{probabilities.shape} and {label.shape}"
            raise runtime_error("Perplexity.update", "the inputs must have the shapes (..., C) and (...)", got)
        classes, label = probabilities.shape[-1], label.astype(np.int64).ravel()
        if label.size and not 0 <= label.min() <= label.max() < classes:
            got = f"{label.min()} to {label.max()}"
            raise value_error("Perplexity.update", f"the labels must be in [0, {classes})", got)
        chosen = probabilities.reshape(-1, classes)[np.arange(len(label)), label].astype(np.float64)
        counts = np.ones(len(label), bool) if self.ignore_label is None else label != self.ignore_label
        self._sum_metric -= np.log(np.maximum(1e-10, chosen[counts])).sum()
        self._num_inst += int(counts.sum())

    def eval(self) -> Any:
        """The perplexity.

        Raises:
            RuntimeError: If there were no labels.
        """
        return float(np.exp(self._mean(self._sum_metric, self._num_inst)))
