"""A conversion with a recipe: the level's own, after which the listed cells take their quantized products."""

from dataclasses import replace

from minispore.amp.lowbit.convert import entries_with, take_recipe, treatment
from minispore.amp.lowbit.recipe import as_recipe
from minispore.amp.policy.converted import is_repeated, noted, unconverted_receipt
from minispore.amp.policy.white_pass import copied
from minispore.rewrite.call_sites import call_sites

__all__ = []


def treated_cells(operation, network, recipe):
    """The treatment of each listed cell, in the order of the calls."""
    return treatment(operation, network, recipe, [site.path for site in call_sites(network)])


def receipt_with(receipt, treated, recipe):
    """A level's receipt with the rows that a recipe changes."""
    entries = entries_with(receipt.entries, treated, recipe)
    return replace(receipt, level=f"{receipt.level} with {recipe}", entries=entries, plain=receipt)


def with_recipe(operation, network, recipe, called, convert):
    """The network that ``convert()`` returns, whose listed cells then take a recipe of low bits.

    ``called`` is the name of the conversion, for a network that has had it before; None if it may have had none.
    """
    recipe = as_recipe(operation, recipe)
    if is_repeated(operation, network, called and f"{called} with {recipe}"):
        return network
    receipt, treated = unconverted_receipt(network), treated_cells(operation, network, recipe)
    result = convert()
    receipt = receipt_with(vars(result).get("amp_report", receipt), treated, recipe)
    if network not in {cell for _, cell in result.cells_and_names()}:  # a new network, which may share cells with it
        network = result = copied(result)
    take_recipe(result, recipe, treated)
    return noted(receipt.level, receipt, result, network)
