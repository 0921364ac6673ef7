"""Policy gradient on a corridor of five cells: sampled episodes, returns, a loss weighted by advantages."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill

GOAL, STEPS = 4, 8


class Actor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell([nn.Dense(5, 8), nn.Tanh(), nn.Dense(8, 2)])

    def construct(self, state):
        return ops.softmax(self.layers(state), axis=-1)


def one_hot(position):
    return np.eye(5, dtype=np.float32)[position]


def episode(actor, draw):
    position, states, actions, rewards = 1, [], [], []
    for _ in range(STEPS):
        probabilities = actor(Tensor(one_hot(position)[None])).asnumpy()[0]
        action = int(draw.uniform() < probabilities[1])
        states.append(one_hot(position))
        actions.append(action)
        position = min(max(position + (1 if action else -1), 0), GOAL)
        rewards.append(1.0 if position == GOAL else -0.1)
        if position == GOAL:
            break
    return np.array(states), np.array(actions, np.int32), rewards


def discounted(rewards, gamma=0.9):
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.insert(0, total)
    return np.array(returns, np.float32)


actor = fill(Actor())
optimizer = nn.Adam(actor.trainable_params(), learning_rate=0.05)
one_hot_op = ops.OneHot()
on, off = Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)


def loss_fn(states, actions, returns):
    probabilities = actor(states)
    chosen = (probabilities * one_hot_op(actions, 2, on, off)).sum(axis=1)
    entropy = -(probabilities * ops.log(probabilities)).sum(1).mean()
    return -(ops.log(chosen) * returns).sum() - 0.01 * entropy


grad_fn = ops.value_and_grad(loss_fn, grad_position=None, weights=optimizer.parameters)
draw = np.random.RandomState(11)
for number in range(6):
    states, actions, rewards = episode(actor, draw)
    returns = discounted(rewards)
    loss, grads = grad_fn(Tensor(states), Tensor(actions), Tensor(returns))
    optimizer(grads)
    print(f"episode {number}: steps {len(actions)}, return {sum(rewards):.1f}, loss {float(loss):.5f}")
print([round(float(p), 4) for p in actor(Tensor(np.eye(5, dtype=np.float32)))[:, 1]])
