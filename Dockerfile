# Any image with Python >= 3.11 and its pip will do. A newer one of this name has the digest that is printed by
#   docker buildx imagetools inspect python:3.13-slim --format '{{.Manifest.Digest}}'
ARG BASE=python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b

FROM ${BASE} AS build
WORKDIR /app
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# The dependencies first, in a layer that only a new lock file makes anew.
COPY requirements.lock ./
RUN python3 -m venv --without-pip .venv \
    && python3 -m pip --python .venv/bin/python install --require-hashes -r requirements.lock
COPY . .
# Node.js builds the page, and stays outside the folder that the image gets.
RUN python3 -m pip --python .venv/bin/python install --no-deps --no-build-isolation --editable . \
    && python3 -m pip install --target /node --require-hashes -r requirements-page.lock \
    && PYTHONPATH=/node python3 build_page.py \
    && rm -rf api/web/node_modules api/web/static tests \
    && .venv/bin/python -m compileall -q api domain events workers

FROM ${BASE}
WORKDIR /app
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH HOME=/tmp PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# A number, so that a cluster can see that it is not root's; it owns nothing here.
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["dealt", "api", "--host", "0.0.0.0", "--port", "8000"]
