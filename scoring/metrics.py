"""Counters of what phones and organisers write, and of what pages report, for this process.

The project shows them to the monitoring.
"""

from prometheus_client import CollectorRegistry, Counter

METRICS = CollectorRegistry()
"""All metrics of this process, those of the project too."""

ENTRIES = Counter("schnauz_entries", "Entries written to the sheets", registry=METRICS)
PAGE_ERRORS = Counter("schnauz_page_errors", "Errors of scripts of pages", ["file", "kind"], registry=METRICS)
REFUSALS = Counter(
    "schnauz_refusals", "Entries and requests of phones that were refused", ["code"], registry=METRICS
)
