"""Report of the doctor: `manage.py doctor`, also with settings that Django refuses."""

import sys

from schnauz_turnier.doctor.examination import examine
from schnauz_turnier.doctor.findings import Health, as_text


def main() -> int:
    """Print the findings and return the exit status: 1 if anything is wrong."""
    findings = examine()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a path with letters that the terminal lacks
    print(as_text(findings))
    return int(any(finding.health == Health.WRONG for finding in findings))
