"""Trains the network of the purpose classifier. Called by purpose-network.ts, which writes its input and packs its output.

    python3 train_network.py FOLDER

FOLDER has
    options.json   labels, rarities of the features, dimensions, and the sizes below
    train.jsonl    {"words": [place], "features": [row], "labels": [label], "weight": w}, one text a line
    held.jsonl     the same for texts that are not trained on: they fit the temperature and measure the network
    vectors.f32    for each word its vector, then its weight

Writes weights.f32, and weights.json with the name and the shape of each matrix in it, the temperature and the measures.
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
# The factors of the inputs, as in task-classifier-network.ts.
VECTOR_SCALE, MEAN_SCALE, SPARSE_SCALE = 2, 3, 3

folder = sys.argv[1]
with open(f"{folder}/options.json") as file:
    options = json.load(file)
LABELS, DIMENSIONS = len(options["labels"]), options["dimensions"]
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
    """The inputs of some texts and their targets."""
    words = [text["words"][: options["words"]] for text in texts]
    if training:
        words = [[word for word in each if random.random() >= WORD_DROPOUT] or each for each in words]
    ids = torch.full((len(texts), max(1, max(len(each) for each in words))), NO_WORD)
    features, starts, factors = [], [], []
    targets = torch.full((len(texts), LABELS), SMOOTHING / LABELS)
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
        for label in text["labels"]:
            targets[row, label] += (1 - SMOOTHING) / len(text["labels"])
    weights = torch.tensor([text["weight"] for text in texts])
    return ids, torch.cat(features), torch.tensor(starts), torch.cat(factors), targets, weights


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


def share_of_first(scores, texts):
    first = scores.argmax(-1).tolist()
    return sum(label in text["labels"] for label, text in zip(first, texts)) / len(texts)


def log_loss(scores, texts, temperature):
    shares = (scores / temperature).softmax(-1)
    return -sum(math.log(shares[row][text["labels"]].sum().item() + 1e-9) for row, text in enumerate(texts)) / len(texts)


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
        *inputs, targets, weights = prepare(texts, True)
        loss = (-(targets * network(*inputs).log_softmax(-1)).sum(-1) * weights).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
    measured = share_of_first(scores_of(network, held), held)
    print(f"pass {number + 1} of {options['passes']}: loss {total * BATCH / len(train):.3f}, "
          f"right for {measured:.3f} of the held texts", flush=True)

scores = scores_of(network, held)
temperature = min((t / 50 for t in range(10, 101)), key=lambda t: log_loss(scores, held, t))
matrices = {name: values.detach().numpy().astype(np.float32) for name, values in network.named_parameters()}
np.concatenate([values.ravel() for values in matrices.values()]).tofile(f"{folder}/weights.f32")
with open(f"{folder}/weights.json", "w") as file:
    json.dump(
        {
            "matrices": [{"name": name, "shape": list(values.shape)} for name, values in matrices.items()],
            "temperature": temperature,
            "right": share_of_first(scores, held),
            "logLoss": log_loss(scores, held, temperature),
        },
        file,
    )
