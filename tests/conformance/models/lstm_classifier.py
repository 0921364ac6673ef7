"""A text classifier by an LSTM (Hochreiter and Schmidhuber, 1997): embedding, two bidirectional layers, a Dense."""

from mindspore import nn


class LSTMClassifier(nn.Cell):
    """Logits from the mean of the LSTM's outputs over the steps; tokens of shape (N, steps)."""

    def __init__(self, num_classes=10, vocabulary=100, dim=32, hidden=32, layers=2, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.lstm = nn.LSTM(dim, hidden, layers, batch_first=True, dropout=dropout, bidirectional=True)
        self.dropout = nn.Dropout(p=dropout)
        self.fc = nn.Dense(2 * hidden, num_classes)

    def construct(self, tokens):
        x = self.embedding(tokens)
        output, _ = self.lstm(x)
        return self.fc(self.dropout(output.mean(1)))
