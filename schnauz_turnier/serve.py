"""The web server: one process with one event loop. Why uvicorn: see bench/server.py.

python -m schnauz_turnier.serve HOST PORT     serves, and does nothing else (no migration, no collectstatic)
"""

import os
import sys

import uvicorn
from django.conf import settings


def serve(host: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM. Open event streams get a second to end; no addresses are logged."""
    uvicorn.run(
        "schnauz_turnier.asgi:application",
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.TRUSTED_PROXIES),
        forwarded_allow_ips=settings.TRUSTED_PROXIES,
        timeout_graceful_shutdown=1,
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "schnauz_turnier.settings")
    serve(sys.argv[1], int(sys.argv[2]))
