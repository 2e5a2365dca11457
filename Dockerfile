# docker build --build-arg COMMIT=$(git rev-parse HEAD) -t caretaker .
#
# One image for every process: the web process by default, dist/jobs/worker.js for the worker, dist/jobs/migrate.js for
# the release step. It is for production: it refuses to start without DATABASE_URL, PUBLIC_URL and SESSION_SECRET, and
# has no demo building. docs/install/compose.md says how to run it. Alpine images do not work: sharp needs glibc.
ARG BASE=docker.io/library/node:24-slim

FROM ${BASE} AS build
WORKDIR /opt/caretaker
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY jobs jobs
COPY migrations migrations
COPY src src
ARG COMMIT=""
RUN npm run build

FROM ${BASE} AS packages
WORKDIR /opt/caretaker
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM ${BASE}
LABEL org.opencontainers.image.title="Caretaker" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3000 DATA_DIR=/var/lib/caretaker UV_THREADPOOL_SIZE=8 MALLOC_ARENA_MAX=2 NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=512"
RUN install -d -o node -g node -m 0750 /var/lib/caretaker
WORKDIR /opt/caretaker
COPY package.json ./
COPY static static
COPY views views
COPY jobs/build.mjs jobs/build.mjs
COPY --from=packages /opt/caretaker/node_modules node_modules
COPY --from=build /opt/caretaker/dist dist
USER node
VOLUME /var/lib/caretaker
EXPOSE 3000
STOPSIGNAL SIGTERM
# A web process answers on PORT, a worker on WORKER_PORT.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "const ask = (port) => fetch('http://127.0.0.1:' + port + '/healthz').then((answer) => answer.ok || Promise.reject()); Promise.any([process.env.PORT, process.env.WORKER_PORT].map(ask)).catch(() => process.exit(1))"]
CMD ["node", "dist/src/server.js"]
