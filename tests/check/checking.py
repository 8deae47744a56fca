"""Records that the checker checks, in a process of Node.js."""

from typing import Any

from tests.check.node import computed

COUNTS = ("draws", "lots", "sheets", "entries", "commitments", "marks")
CHECKED = """
  const { checkRecord } = await load("check/record");
  return given.map((text) => {
    try {
      const { details, ...counts } = checkRecord(text);
      return counts;
    } catch (wrong) {
      if (!wrong.path) throw wrong;
      return wrong;
    }
  });
"""


def checked(*texts: str) -> list[dict[str, Any]]:
    """Return the counts of each record that is right, and code, path, place and params of the first contradiction of others."""
    found: list[dict[str, Any]] = computed(CHECKED, texts)
    return found
