"""Whether bytes spread alike under two secrets: a chi-square of homogeneity for every place."""

import math

import numpy as np


class Spread:
    """Counts of every value of every byte, apart for two kinds of equally long data."""

    def __init__(self, size: int) -> None:
        self._counts = np.zeros((2, size, 256), dtype=np.int64)
        self._places = np.arange(size)

    def add(self, kind: int, data: bytes) -> None:
        """Take in data of kind 0 or 1."""
        self._counts[kind, self._places, np.frombuffer(data, dtype=np.uint8)] += 1

    def deviations(self) -> list[float]:
        """By how many standard deviations the chi-square of each byte is above, or below, that of equal spreads.

        Its cube root is nearly normal (Wilson, Hilferty 1931); the chi-square itself leans to the right.
        """
        found = []
        for place in self._places:
            counts = self._counts[:, place]
            counts = counts[:, counts.sum(axis=0) > 0]
            # A byte that is always the same tells nothing: the highest of a scalar nearly is.
            freedom = counts.shape[1] - 1
            if freedom:
                expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
                chi_square = float(((counts - expected) ** 2 / expected).sum())
                error = 2 / (9 * freedom)
                found.append(((chi_square / freedom) ** (1 / 3) - (1 - error)) / math.sqrt(error))
        return found
