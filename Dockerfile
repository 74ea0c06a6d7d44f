# The service on Debian, for a user without rights, with nothing to write but the volume of its state and /tmp.
# Node's version is the one that package.json pins; test/ops/container.test.ts compares them.
FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install script is needed: the image has the Node that the package `node` would bring, and the rest is in packages.
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM node:24.21.0-trixie-slim
# Certificates for object storage and PostgreSQL over TLS; the slim image has none outside Node. jemalloc gives memory
# back to the system within a minute, where glibc keeps what a peak took.
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
COPY web/dist web/dist
COPY src src
ENV NODE_ENV=production \
  LD_PRELOAD=libjemalloc.so.2 \
  MALLOC_CONF=background_thread:true \
  HOST=0.0.0.0 \
  PORT=8080 \
  MODELSCOUT_HOME=/var/lib/modelscout
VOLUME /var/lib/modelscout
EXPOSE 8080
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require(process.env.MODELSCOUT_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/readyz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node itself is the first process, so that it gets the signal to stop.
CMD ["node", "--max-semi-space-size=8", "src/main.ts", "serve"]
