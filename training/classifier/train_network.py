"""Trains the network of the classifier of needs. Called by network.ts, which writes its input and packs its output.

    python3 train_network.py FOLDER

FOLDER has
    options.json   the numbers of tasks and purposes, rarities of the features, dimensions, and the sizes below
    train.jsonl    {"words": [place], "features": [row], "tasks": [[label]], "purposes": [[label]], "weight": w}, one
                   text a line; a text means one label of each inner list; an empty list says that nothing is known
    held.jsonl     the same for texts that are not trained on: they fit the temperatures and measure the network
    vectors.f32    for each word its vector, then its weight

Writes weights.f32, and weights.json with the name and the shape of each matrix in it and the temperatures.
"""

import json
import math
import random
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

BATCH = 48
RATE = 2e-3
DECAY, BAG_DECAY = 1e-3, 1e-4
SMOOTHING = 0.05
WORD_DROPOUT, FEATURE_DROPOUT, UNIT_DROPOUT = 0.15, 0.5, 0.5
# The factors of the inputs, as in need-network.ts.
VECTOR_SCALE, MEAN_SCALE, SPARSE_SCALE = 2, 3, 3

folder = sys.argv[1]
with open(f"{folder}/options.json") as file:
    options = json.load(file)
DIMENSIONS = options["dimensions"]
# The scores of the tasks come first, then those of the purposes.
TASKS, LABELS = options["tasks"], options["tasks"] + options["purposes"]
RARITIES = torch.tensor(options["rarities"])
torch.manual_seed(options["seed"])
random.seed(options["seed"])
# One thread, so that sums have the same order in each run.
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True, warn_only=True)


def read(name):
    with open(f"{folder}/{name}.jsonl") as file:
        return [json.loads(line) for line in file]


table = torch.from_numpy(np.fromfile(f"{folder}/vectors.f32", dtype=np.float32)).view(-1, DIMENSIONS + 1)
# The last row stands for no word.
VECTORS = torch.cat([table[:, :DIMENSIONS], torch.zeros(1, DIMENSIONS)])
WEIGHTS = torch.cat([table[:, DIMENSIONS], torch.zeros(1)])
NO_WORD = len(table)


class Network(nn.Module):
    """A bag of features through a hidden layer, and windows of words through maxima and through attention.

    The scores of both parts are added and trained together.
    """

    def __init__(self):
        super().__init__()
        hidden, filters, gates = options["hidden"], options["filters"], options["gates"]
        self.bag = nn.EmbeddingBag(len(RARITIES), hidden, mode="sum")
        nn.init.normal_(self.bag.weight, 0, 0.03)
        self.bag_mean = nn.Linear(DIMENSIONS, hidden)
        self.bag_out = nn.Linear(hidden, LABELS)
        self.windows = nn.ModuleList([nn.Conv1d(DIMENSIONS, filters, size, padding=min(1, size - 1)) for size in (1, 2, 3)])
        self.gate = nn.Conv1d(DIMENSIONS, gates, 5, padding=2)
        self.gate_out = nn.Conv1d(gates, 1, 1)
        self.value = nn.Conv1d(DIMENSIONS, filters, 3, padding=1)
        self.out = nn.Linear(4 * filters + DIMENSIONS, LABELS)

    def forward(self, words, features, starts, factors):
        vectors = VECTORS[words]
        known = words != NO_WORD
        lengths = known.sum(1)
        mean = F.normalize((vectors * WEIGHTS[words].unsqueeze(-1)).sum(1), dim=-1, eps=1e-6) * MEAN_SCALE
        inputs = vectors.transpose(1, 2) * VECTOR_SCALE
        units = []
        for size, window in zip((1, 2, 3), self.windows):
            shown = F.relu(window(inputs))
            # Windows past the end of a shorter text do not count.
            places = torch.arange(shown.shape[2]).unsqueeze(0)
            inside = places < (lengths + (1 if size == 2 else 0)).unsqueeze(1)
            units.append((shown * inside.unsqueeze(1)).max(-1)[0])
        scores = self.gate_out(torch.tanh(self.gate(inputs))).masked_fill(~known.unsqueeze(1), -1e9)
        units.append((F.relu(self.value(inputs)) * scores.softmax(-1)).sum(-1))
        units.append(mean)
        of_windows = self.out(F.dropout(torch.cat(units, -1), UNIT_DROPOUT, self.training))
        layer = F.relu(self.bag(features, starts, per_sample_weights=factors) + self.bag_mean(mean))
        return of_windows + self.bag_out(F.dropout(layer, UNIT_DROPOUT, self.training))


def prepare(texts, training):
    """The inputs of some texts."""
    words = [text["words"][: options["words"]] for text in texts]
    if training:
        words = [[word for word in each if random.random() >= WORD_DROPOUT] or each for each in words]
    ids = torch.full((len(texts), max(1, max(len(each) for each in words))), NO_WORD)
    features, starts, factors = [], [], []
    for row, (text, each) in enumerate(zip(texts, words)):
        ids[row, : len(each)] = torch.tensor(each, dtype=torch.long)
        rows = torch.tensor(text["features"], dtype=torch.long)
        values = RARITIES[rows] * SPARSE_SCALE / (RARITIES[rows].norm() + 1e-6)
        if training:
            kept = torch.rand(len(rows)) >= FEATURE_DROPOUT
            rows, values = rows[kept], values[kept] / math.sqrt(1 - FEATURE_DROPOUT)
        starts.append(sum(len(part) for part in features))
        features.append(rows)
        factors.append(values)
    return ids, torch.cat(features), torch.tensor(starts), torch.cat(factors)


def parts_of(scores):
    """The scores of each kind of label."""
    return ("tasks", scores[:, :TASKS]), ("purposes", scores[:, TASKS:])


def losses(scores, texts):
    """For each text the cross-entropy of what it means, with some for every label.

    The probability of a list of labels is the sum of theirs: the network is free to choose among them.
    """
    total = scores.new_zeros(len(texts))
    for kind, part in parts_of(scores):
        logs = part.log_softmax(-1)
        lists = [(row, meant, len(text[kind])) for row, text in enumerate(texts) for meant in text[kind]]
        if not lists:
            continue
        places = [(at, row, label) for at, (row, meant, _) in enumerate(lists) for label in meant]
        at, rows, labels = (torch.tensor(values) for values in zip(*places))
        chances = scores.new_zeros(len(lists)).index_add(0, at, logs[rows, labels].exp())
        owners = torch.tensor([row for row, _, _ in lists])
        shares = torch.tensor([1 / count for _, _, count in lists])
        total = total.index_add(0, owners, -(1 - SMOOTHING) * shares * (chances + 1e-9).log())
        known = torch.tensor([float(len(text[kind]) > 0) for text in texts])
        total = total - SMOOTHING * known * logs.mean(-1)
    return total


def batches(texts):
    """Random batches of texts of like length, so that few places are empty."""
    order = random.sample(range(len(texts)), len(texts))
    found = []
    for start in range(0, len(order), BATCH * 50):
        chunk = sorted(order[start : start + BATCH * 50], key=lambda at: len(texts[at]["words"]))
        found += [[texts[at] for at in chunk[first : first + BATCH]] for first in range(0, len(chunk), BATCH)]
    random.shuffle(found)
    return found


def scores_of(network, texts):
    network.eval()
    with torch.no_grad():
        return torch.cat([network(*prepare(texts[at : at + 64], False)[:4]) for at in range(0, len(texts), 64)])


def share_of_first(scores, texts, kind):
    """The share of the texts whose first label is one of those that they mean."""
    known = [(label, text) for label, text in zip(scores.argmax(-1).tolist(), texts) if text[kind]]
    return sum(any(label in meant for meant in text[kind]) for label, text in known) / max(1, len(known))


def log_loss(scores, texts, kind, temperature):
    shares = (scores / temperature).softmax(-1)
    known = [(row, {label for meant in text[kind] for label in meant}) for row, text in enumerate(texts) if text[kind]]
    return -sum(math.log(shares[row][list(meant)].sum().item() + 1e-9) for row, meant in known) / max(1, len(known))


train, held = read("train"), read("held")
network = Network()
bag = list(network.bag.parameters())
others = [values for name, values in network.named_parameters() if not name.startswith("bag.")]
optimiser = torch.optim.AdamW(
    [{"params": others, "weight_decay": DECAY}, {"params": bag, "weight_decay": BAG_DECAY}], lr=RATE
)
steps = options["passes"] * math.ceil(len(train) / BATCH)
step = 0
for number in range(options["passes"]):
    network.train()
    total = 0.0
    for texts in batches(train):
        for group in optimiser.param_groups:
            group["lr"] = RATE * (1 - 0.95 * step / steps)
        step += 1
        weights = torch.tensor([text["weight"] for text in texts])
        loss = (losses(network(*prepare(texts, True)), texts) * weights).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    right = [f"{share_of_first(part, held, kind):.3f} of the {kind}" for kind, part in parts_of(scores_of(network, held))]
    print(f"pass {number + 1} of {options['passes']}: loss {total * BATCH / len(train):.3f}, "
          f"right for {' and '.join(right)} of the held texts", flush=True)

temperatures = {}
for kind, part in parts_of(scores_of(network, held)):
    temperatures[kind] = min((t / 50 for t in range(10, 101)), key=lambda t: log_loss(part, held, kind, t))
    print(f"{kind}: log loss {log_loss(part, held, kind, temperatures[kind]):.3f} at temperature {temperatures[kind]}")
matrices = {name: values.detach().numpy().astype(np.float32) for name, values in network.named_parameters()}
np.concatenate([values.ravel() for values in matrices.values()]).tofile(f"{folder}/weights.f32")
with open(f"{folder}/weights.json", "w") as file:
    json.dump(
        {
            "matrices": [{"name": name, "shape": list(values.shape)} for name, values in matrices.items()],
            "temperatures": temperatures,
        },
        file,
    )
