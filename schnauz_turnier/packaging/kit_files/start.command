#!/bin/sh
# Start on Linux and macOS: a double click, or in a terminal: sh start.command
cd "$(dirname "$0")" || exit 1
for python in python3.14 python3.13 python3.12 python3.11 python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$python" start.py "$@"
    fi
done
echo "Python 3.11 oder neuer wird gebraucht: LIESMICH.txt sagt, woher. / Python 3.11 or newer is needed: see README.txt."
exit 1
