# One file, three images: docker build --target migrate|api|worker .
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /workspace
ENV NX_DAEMON=false
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/cli/package.json apps/cli/
COPY apps/cli/bin apps/cli/bin
COPY apps/e2e/package.json apps/e2e/
COPY apps/embedded/package.json apps/embedded/
COPY apps/migrate/package.json apps/migrate/
COPY apps/worker/package.json apps/worker/
COPY libs/alerting/package.json libs/alerting/
COPY libs/config/package.json libs/config/
COPY libs/contracts/package.json libs/contracts/
COPY libs/core/package.json libs/core/
COPY libs/observability/package.json libs/observability/
COPY libs/persistence/package.json libs/persistence/
COPY libs/queue/package.json libs/queue/
COPY libs/summarizers/package.json libs/summarizers/
COPY libs/testkit/package.json libs/testkit/
COPY libs/tokens/package.json libs/tokens/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
# Only what runs: the app, the workspace packages and the registry packages that it reaches. Development packages stay here.
RUN node tools/image/assemble.mjs @holdfast/migrate /images/migrate \
 && node tools/image/assemble.mjs @holdfast/api /images/api \
 && node tools/image/assemble.mjs @holdfast/worker /images/worker

FROM ${NODE_IMAGE} AS runtime
# The images run Node.js and nothing else.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg \
 && groupadd --gid 10001 holdfast \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin holdfast
LABEL org.opencontainers.image.title="Holdfast" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps
WORKDIR /app
COPY tools/image/healthcheck.mjs ./
COPY LICENSE ./
# migrate applies them; the others compare the database with them before they report ready.
COPY prisma/migrations prisma/migrations
USER 10001:10001
STOPSIGNAL SIGTERM

FROM runtime AS migrate
COPY --from=build /images/migrate ./
CMD ["node", "apps/migrate/dist/main.js"]

FROM runtime AS api
COPY --from=build /images/api ./
EXPOSE 3001
CMD ["node", "apps/api/dist/main.js"]

FROM runtime AS worker
COPY --from=build /images/worker ./
EXPOSE 3002
CMD ["node", "apps/worker/dist/main.js"]
