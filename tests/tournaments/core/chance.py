"""Statistical tests of counts. The seeds are fixed, so that a test never fails by chance."""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from math import erfc, exp, factorial, sqrt

ONE_IN_A_MILLION = 1e-6


def probability(chi_square: float, degrees: int) -> float:
    """Return the probability of at least this chi-square: exact for 1 degree of freedom, and for even ones."""
    half = chi_square / 2
    if degrees == 1:
        return erfc(sqrt(half))
    return exp(-half) * sum(half**i / factorial(i) for i in range(degrees // 2))


def chi_square(counts: Counter[int], expected: Mapping[int, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts[key] - mean) ** 2 / mean for key, mean in expected.items())


def fixed_seed(name: str, *numbers: int) -> str:
    return sha256(" ".join([name, *map(str, numbers)]).encode()).hexdigest()
