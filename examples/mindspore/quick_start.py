"""A classifier of small pictures: dataset, network, training loop, accuracy, a saved and loaded checkpoint."""

import mindspore as ms
from mindspore import nn, ops
from mindspore.dataset import GeneratorDataset, transforms, vision
from tiny import fill, images


class Pictures:
    def __init__(self, count, seed):
        pictures, self.labels = images(count, size=8, seed=0)
        self.pictures = ((pictures.transpose(0, 2, 3, 1) + 2) * 60).astype("uint8")

    def __getitem__(self, index):
        return self.pictures[index], self.labels[index]

    def __len__(self):
        return len(self.labels)


def datapipe(dataset, batch_size):
    image_transforms = [
        vision.Rescale(1.0 / 255.0, 0),
        vision.Normalize(mean=(0.47,), std=(0.2,)),
        vision.HWC2CHW(),
    ]
    dataset = dataset.map(image_transforms, "image")
    dataset = dataset.map(transforms.TypeCast(ms.int32), "label")
    return dataset.batch(batch_size)


train_dataset = datapipe(GeneratorDataset(Pictures(48, 0), ["image", "label"], shuffle=False), 16)
test_dataset = datapipe(GeneratorDataset(Pictures(20, 1), ["image", "label"], shuffle=False), 8)

for image, label in test_dataset.create_tuple_iterator():
    print(f"Shape of image [N, C, H, W]: {image.shape} {image.dtype}")
    print(f"Shape of label: {label.shape} {label.dtype}")
    break
for data in test_dataset.create_dict_iterator():
    print({name: value.shape for name, value in data.items()})
    break


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.dense_relu_sequential = nn.SequentialCell(
            nn.Dense(64, 32), nn.ReLU(), nn.Dense(32, 16), nn.ReLU(), nn.Dense(16, 4)
        )

    def construct(self, x):
        x = self.flatten(x)
        return self.dense_relu_sequential(x)


model = fill(Network())
print([name for name, _ in model.parameters_and_names()])
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.SGD(model.trainable_params(), 1e-1)


def forward_fn(data, label):
    logits = model(data)
    return loss_fn(logits, label), logits


grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)


def train_step(data, label):
    (loss, _), grads = grad_fn(data, label)
    optimizer(grads)
    return loss


def train(model, dataset):
    size = dataset.get_dataset_size()
    model.set_train()
    for batch, (data, label) in enumerate(dataset.create_tuple_iterator()):
        loss = train_step(data, label).asnumpy()
        print(f"loss: {loss:>7f}  [{batch:>3d}/{size:>3d}]")


def test(model, dataset, loss_fn):
    num_batches = dataset.get_dataset_size()
    model.set_train(False)
    total, test_loss, correct = 0, 0, 0
    for data, label in dataset.create_tuple_iterator():
        pred = model(data)
        total += len(data)
        test_loss += loss_fn(pred, label).asnumpy()
        correct += (pred.argmax(1) == label).asnumpy().sum()
    print(f"Test: Accuracy: {100 * correct / total:>0.1f}%, Avg loss: {test_loss / num_batches:>8f}")


for epoch in range(3):
    print(f"Epoch {epoch + 1}")
    train(model, train_dataset)
    test(model, test_dataset, loss_fn)

ms.save_checkpoint(model, "model.ckpt")
model = Network()
param_dict = ms.load_checkpoint("model.ckpt")
param_not_load, _ = ms.load_param_into_net(model, param_dict)
print(param_not_load)
model.set_train(False)
for data, label in test_dataset:
    predicted = ops.argmax(model(data), dim=1)
    print(f'Predicted: "{predicted[:6]}", Actual: "{label[:6]}"')
    break
