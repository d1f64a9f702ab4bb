# The command `quchong` in an image. Build it from the root of the repository:
#   docker build -f deploy/command.Dockerfile -t quchong-command .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" quchong-command dedup news.jsonl -o run/
# The image of the service is deploy/Dockerfile.

FROM python:3.12-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml CMakeLists.txt README.md LICENSE NOTICE ./
COPY cpp cpp
COPY share share
COPY src src
RUN python -m venv /opt/quchong \
 && /opt/quchong/bin/pip install --no-cache-dir '.[html,report]' \
 && /opt/quchong/bin/pip uninstall --yes pip \
 && /opt/quchong/bin/python -m compileall -q /opt/quchong/lib

FROM python:3.12-slim-bookworm
COPY --from=build /opt/quchong /opt/quchong
ENV PATH=/opt/quchong/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    LANG=C.UTF-8
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["quchong"]
CMD ["--help"]
