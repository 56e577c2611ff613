# docker build -f docs/operations/Dockerfile -t consumo .
# The packages are those of the lock files, by their hashes.

FROM node:24-bookworm-slim AS client
WORKDIR /build/ui
COPY ui/package.json ui/package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY ui ./
RUN npm run build

FROM python:3.13-slim-bookworm AS server
WORKDIR /opt/consumo
COPY requirements-uv.txt requirements.txt pyproject.toml ./
RUN python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --require-hashes -r requirements-uv.txt \
    && .venv/bin/uv pip sync --no-cache --python .venv/bin/python --require-hashes requirements.txt
COPY domain domain
COPY application application
COPY adapters adapters
RUN .venv/bin/uv pip install --no-cache --python .venv/bin/python --no-deps --no-build-isolation -e . \
    && .venv/bin/python -m compileall -q .venv domain application adapters

FROM python:3.13-slim-bookworm
# For `consumo backup` and `consumo restore` of a database on PostgreSQL 15; take the version of your server.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /opt/consumo --shell /usr/sbin/nologin consumo \
    && install -d -o consumo -g consumo -m 0700 /var/lib/consumo
WORKDIR /opt/consumo
COPY --from=server /opt/consumo ./
COPY --from=client /build/ui/dist ui/dist
USER 10001
ENV CONSUMO_HOST=0.0.0.0 \
    CONSUMO_LOG_FORMAT=json \
    CONSUMO_DRAIN_SECONDS=10
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["/opt/consumo/.venv/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
ENTRYPOINT ["/opt/consumo/.venv/bin/consumo"]
CMD ["serve"]
