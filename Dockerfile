# The service on Debian, as an unprivileged user that writes only to the volume of its state and /tmp.
# The Node version must equal that in package.json; test/system/ops/container.test.ts compares them.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY scripts/dependencies/trim-install.js scripts/dependencies/
# No package of the program needs an install script.
RUN npm ci --omit=dev --ignore-scripts
# docker build --build-arg ENCODERS=transformers: for other encoders than the bundled one (some 80 MB).
# --save-prod is needed because package.json names the package as a development package, too.
ARG ENCODERS=bundled
RUN if [ "$ENCODERS" = transformers ]; then \
    npm install --no-save --save-prod --omit=dev --ignore-scripts @huggingface/transformers@4.3.1 \
    && node scripts/dependencies/trim-install.js; \
  fi

FROM node:24.21.0-trixie-slim
# Certificates are for object storage and PostgreSQL over TLS; the slim image has none outside Node. jemalloc returns
# memory to the system within a minute after a peak; glibc keeps it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libjemalloc2 \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /var/lib/modelscout \
  && ln -s /app/bin/modelscout.js /usr/local/bin/modelscout
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY gen gen
COPY packages packages
COPY web/dist web/dist
COPY src src
# docker build --build-arg COMMIT=$(git rev-parse HEAD): what /healthz and the metrics name.
ARG COMMIT=""
ENV NODE_ENV=production \
  MODELSCOUT_COMMIT=${COMMIT} \
  LD_PRELOAD=libjemalloc.so.2 \
  MALLOC_CONF=background_thread:true \
  HOST=0.0.0.0 \
  PORT=8080 \
  MODELSCOUT_HOME=/var/lib/modelscout
VOLUME /var/lib/modelscout
EXPOSE 8080
# A number, so that Kubernetes can check that it is not root.
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require(process.env.MODELSCOUT_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/readyz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node itself, not npm, is the first process, so that it gets the stop signal.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=25", "--initial-old-space-size=48", "--no-allocation-site-pretenuring", "src/main.ts", "serve"]
