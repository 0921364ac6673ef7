"""An example of patterns: Conv2d and BatchNorm2d become one Conv2d for inference."""

import numpy as np

import minispore as ms
from minispore import nn, ops
from minispore.rewrite import Node, NodeType, PatternEngine, Replacement, SymbolTree, TreeNodeHelper, check


class FuseConvBatchNorm(Replacement):
    """w' = w * gamma / sqrt(variance + eps), b' = beta + (b - mean) * gamma / sqrt(variance + eps)."""

    def build(self, pattern, is_chain_pattern, matched):
        call, norm = matched.values()
        conv, norm = call.get_instance(), norm.get_instance()
        if norm.training:
            return []
        bias = conv.bias.asnumpy() if conv.has_bias else 0.0
        scale = norm.gamma.asnumpy() / np.sqrt(norm.moving_variance.asnumpy() + norm.eps)
        fused = nn.Conv2d(
            *(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride),
            **{name: getattr(conv, name) for name in ("pad_mode", "padding", "dilation", "group")},
            has_bias=True,
        )
        fused.weight.set_data(ms.Tensor(conv.weight.asnumpy() * scale[:, None, None, None]))
        fused.bias.set_data(ms.Tensor(norm.beta.asnumpy() + (bias - norm.moving_mean.asnumpy()) * scale))
        return [Node.create_call_cell(fused, ["x"], call.get_args(), call.get_kwargs(), "fused")]


def trained_norm(channels, rng):
    """A BatchNorm2d that is not fresh: all it has learned is random."""
    norm = nn.BatchNorm2d(channels)
    for name, low in (("gamma", 0.5), ("beta", -1.0), ("moving_mean", -1.0), ("moving_variance", 0.5)):
        getattr(norm, name).set_data(ms.Tensor(rng.uniform(low, 1.5, channels).astype(np.float32)))
    return norm


class Residual(nn.Cell):
    def __init__(self, rng):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(4, 4, 3, has_bias=True, group=2), trained_norm(4, rng)
        self.conv2, self.norm2 = nn.Conv2d(4, 4, 3, stride=1, pad_mode="pad", padding=1), trained_norm(4, rng)

    def construct(self, x):
        y = ops.relu(self.norm1(self.conv1(x)))
        return self.norm2(self.conv2(y)) + x


class Images(nn.Cell):
    def __init__(self, rng):
        super().__init__()
        self.stem = nn.SequentialCell(nn.Conv2d(3, 4, 3, stride=2), trained_norm(4, rng), nn.ReLU())
        self.body = nn.SequentialCell([nn.SequentialCell(Residual(rng), nn.ReLU()) for _ in range(2)])
        self.conv, self.norm = nn.Conv2d(4, 2, 1), trained_norm(2, rng)

    def construct(self, x):
        return self.norm(self.conv(self.body(self.stem(x))))


def count(tree, kind):
    return sum(node.get_instance_type() is kind for node in tree.nodes(all_nodes=True))


def test_conv_and_batch_norm_are_fused_in_subtrees_and_containers_exactly_to_1e_5():
    rng = np.random.default_rng(0)
    net = Images(rng)
    net.set_train(False)
    images = ms.Tensor(rng.normal(size=(2, 3, 8, 8)).astype(np.float32))
    expected = net(images).asnumpy()
    tree = SymbolTree.create(net)
    assert (count(tree, nn.Conv2d), count(tree, nn.BatchNorm2d)) == (6, 6)
    assert PatternEngine([nn.Conv2d, nn.BatchNorm2d], FuseConvBatchNorm()).apply(tree)
    assert (count(tree, nn.Conv2d), count(tree, nn.BatchNorm2d)) == (6, 0)
    for node in tree.nodes(all_nodes=True):
        check(node.get_handler().tree)
    fused = tree.get_network()
    np.testing.assert_allclose(fused(images).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(net(images).asnumpy(), expected)
    inside = TreeNodeHelper.get_sub_tree(tree.get_node("stem"))
    kinds = [NodeType.Input, NodeType.CallCell, NodeType.CallCell, NodeType.Output]
    assert [node.get_node_type() for node in inside.nodes()] == kinds


def test_what_trains_is_not_fused():
    net = Images(np.random.default_rng(0))
    net.set_train(True)
    assert not PatternEngine([nn.Conv2d, nn.BatchNorm2d], FuseConvBatchNorm()).apply(SymbolTree.create(net))
