# subfit with the models that come along, for CPUs.
#
#   docker build -t subfit .
#   docker run --rm -v "$PWD":/films subfit translate movie.srt -t de
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
# The CPU build of PyTorch, from the index that its own install page names for it: with
# --build-arg TORCH_INDEX=ADDRESS the image has some 1.5 GB, without it several more of CUDA.
ARG TORCH_INDEX=""
RUN python -m venv /opt/subfit \
    && if [ -n "$TORCH_INDEX" ]; then \
         /opt/subfit/bin/pip install --no-cache-dir --no-deps --index-url "$TORCH_INDEX" -c constraints.txt torch; \
       fi \
    && /opt/subfit/bin/pip install --no-cache-dir -c constraints.txt '.[formats,serve]' \
    && find /opt/subfit -name __pycache__ -type d -prune -exec rm -rf {} +

FROM python:3.12-slim
COPY --from=build /opt/subfit /opt/subfit
RUN useradd --create-home --uid 1000 subfit && mkdir /films /jobs && chown subfit /films /jobs
USER subfit
WORKDIR /films
ENV PATH=/opt/subfit/bin:$PATH HF_HUB_OFFLINE=1
ENTRYPOINT ["subfit"]
CMD ["--help"]
