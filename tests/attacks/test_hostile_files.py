"""Files that were damaged or made to do damage: they load whole, or one sentence of ours refuses them."""

import gzip
import json
import os
import struct

import numpy as np
import pytest

import minispore as ms
from minispore.dataset import MnistDataset, read_idx

WEIRD = [0, 1, -1, 3.5, 2**31, 2**63, 2**64, 2**200, "x", "", None, True, [], {}, [[]], "F32", "\0", "NaN", "[1]", "{"]
WEIRD += ['{"note": 3}', '{"a": "text"}', '["a"]', '[["a"]]', "9" * 5000, "[" * 20_000, '{"a":' * 20_000]
SHAPES = [[-1], [2**32, 2**32], [2**62, 2**62, 0], [0] * 100, [1] * 65, [12] + [1] * 40, [12], [3, 4.0], "34", None]
TYPES = ["F32", "F16", "BF16", "BOOL", "I8", "U64", "F8_E4M3", "F4", "C64", "", 3]


def network(fill):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = ms.Parameter(np.full((3, 4), fill, np.float32), name="a")
            self.b = ms.Parameter(np.full(5, fill, np.float16), name="b")

    return Net()


def bits_of(net):
    return [p.asnumpy().tobytes() for p in net.get_parameters()]


def flipped(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 8])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


def cut(data, dice):
    return dice.choice([data[: dice.randrange(len(data))], data + dice.randbytes(dice.randrange(1, 50))])


def noise(data, dice):
    return dice.choice([b"", b"PK\3\4", b"\x80\4", b"\n\5", b"\x1f\x8b"]) + dice.randbytes(dice.randrange(60))


def other_characters(data, dice):
    data, end = bytearray(data), 8 + struct.unpack("<Q", data[:8])[0]
    for _ in range(dice.choice([1, 2, 4])):
        data[dice.randrange(end)] = dice.choice(b'0123456789{}[]",:.-eE\\ \0\xff')
    return bytes(data)


def other_length(data, dice):
    return struct.pack("<Q", dice.choice([0, 1, 8, len(data), 10**8, 2**32, 2**63, 2**64 - 1])) + data[8:]


def other_field(data, dice):
    end = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:end])
    field = header[dice.choice(list(header))]
    name = dice.choice([*field, "minispore.order", "text", "extra"])
    values = {"shape": SHAPES, "dtype": TYPES, "data_offsets": [[0, 8], [48, 0], [0, 2**63], [8, 56], [0, 48, 1]]}
    field[name] = dice.choice([*values.get(name, []), *WEIRD])
    if dice.random() < 0.1:
        header[dice.choice(["a", "", "note", "__metadata__"])] = header.pop("b", None)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data[end:]


def other_varint(data, dice):
    place = dice.randrange(len(data))
    put = dice.choice([b"\0", b"\x7f", b"\x80\1", b"\xff" * 9 + b"\1", b"\xff" * 11, data[place : place + 9]])
    return data[:place] + put + data[place + dice.randrange(9) :]


MUTATIONS = {
    "safetensors": [flipped, cut, noise, other_characters, other_length, other_field, other_field],
    "ckpt": [flipped, cut, noise, other_varint, other_varint],
}


@pytest.mark.parametrize("format", MUTATIONS)
def test_a_mutated_checkpoint_loads_whole_or_is_refused_in_a_sentence(tmp_path, tries, dice, caplog, format):
    path, refused, mutations = tmp_path / f"x.{format}", 0, tries(400, 20_000)
    ms.save_checkpoint(network(1), path, append_dict={"epoch": 3, "note": "text"})
    whole = path.read_bytes()
    for _ in range(mutations):
        mutate = dice.choice(MUTATIONS[format])
        path.write_bytes(mutate(whole, dice))
        net = network(0)
        before = bits_of(net)
        try:
            found = ms.load_checkpoint(path, net)
        except (ValueError, RuntimeError) as error:
            assert str(error).startswith(("For 'load_checkpoint', ", "For 'load_param_into_net', "))
            assert bits_of(net) == before
            refused += 1
        else:
            assert all(isinstance(name, str) and isinstance(x, ms.Parameter | str) for name, x in found.items())
    assert 0.5 * mutations < refused < mutations


def idx(array):
    lengths = b"".join(struct.pack(">I", n) for n in array.shape)
    return bytes([0, 0, 8, array.ndim]) + lengths + array.tobytes()


def other_header(data, dice):
    rank = dice.choice([0, 1, 2, 3, 33, 65, 255])
    lengths = [dice.choice([0, 1, 1, 28, 2**31, 2**32 - 1]) for _ in range(rank)]
    kind = dice.choice([7, 8, 9, 11, 12, 13, 14])
    return bytes([0, 0, kind, rank]) + struct.pack(f">{rank}I", *lengths) + data[: dice.randrange(64)]


def zipped(data, dice):
    data = gzip.compress(data)
    return dice.choice([flipped(data, dice), cut(data, dice), data * 2, gzip.compress(data)])


def test_a_hostile_idx_file_is_read_or_refused_in_a_sentence(tmp_path, tries, dice):
    files = {"images-idx3": idx(np.zeros((5, 28, 28), np.uint8)), "labels-idx1": idx(np.zeros(5, np.uint8))}
    paths = {tmp_path / f"{part}-{name}-ubyte": data for part in ("train", "t10k") for name, data in files.items()}
    for _ in range(tries(300, 10_000)):
        for path, data in paths.items():
            path.write_bytes(data)
        victim = dice.choice(list(paths))
        victim.write_bytes(dice.choice([flipped, cut, noise, other_header, other_header, zipped])(paths[victim], dice))
        for read in (lambda: read_idx(victim), lambda: MnistDataset(tmp_path, "all")):  # noqa: B023 - called at once
            try:
                read()
            except ValueError as error:
                assert str(error).startswith(("For 'read_idx', ", "For 'MnistDataset', "))
    assert len(os.listdir(tmp_path)) == 4
