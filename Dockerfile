# docker build -t consumo .
# The packages are those of the lock files, by their hashes. compose.yaml runs the image with a database and TLS.

FROM node:24-bookworm-slim AS client
WORKDIR /build/ui
COPY ui/package.json ui/package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY ui ./
COPY docs/manual /build/docs/manual
RUN npm run build

FROM python:3.13-slim-bookworm AS server
WORKDIR /build
COPY requirements-uv.txt requirements-build.txt requirements.txt pyproject.toml ./
# What only builds stays here.
RUN python -m venv /build/venv \
    && /build/venv/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements-uv.txt -r requirements-build.txt \
    && python -m venv --without-pip /opt/consumo \
    && /build/venv/bin/uv pip sync --no-cache --python /opt/consumo/bin/python --require-hashes requirements.txt
COPY domain domain
COPY application application
COPY adapters adapters
COPY tools/build_client.py tools/
COPY --from=client /build/ui/dist ui/dist
RUN uv=/build/venv/bin/uv; python=/opt/consumo/bin/python; \
    $uv build --wheel --no-build-isolation --python /build/venv/bin/python --out-dir dist . \
    && $uv pip install --no-cache --python $python --no-deps dist/consumo-*.whl \
    && $python -m compileall -q /opt/consumo

FROM python:3.13-slim-bookworm
# For `consumo backup` and `consumo restore` of a database on PostgreSQL 15; take the version of your server.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/consumo --shell /usr/sbin/nologin consumo \
    && install -d -o consumo -g consumo -m 0700 /var/lib/consumo
COPY --from=server /opt/consumo /opt/consumo
WORKDIR /var/lib/consumo
USER 10001
ENV CONSUMO_HOST=0.0.0.0 \
    CONSUMO_LOG_FORMAT=json \
    CONSUMO_DRAIN_SECONDS=10
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["/opt/consumo/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health/ready', timeout=4)"]
ENTRYPOINT ["/opt/consumo/bin/consumo"]
CMD ["serve"]
