# Two stages: the first has what building needs, the second only what serving needs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# dist is a link to the folder of the build.
RUN mkdir -p site && npm run build && cp -rL dist served && npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4321 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /site
COPY --from=build --chown=root:root /site/package.json ./
COPY --from=build --chown=root:root /site/node_modules ./node_modules
COPY --from=build --chown=root:root /site/served ./dist
COPY --from=build --chown=root:root /site/src ./src
COPY --from=build --chown=root:root /site/scripts ./scripts
COPY --from=build --chown=root:root /site/migrations ./migrations
COPY --from=build --chown=root:root /site/networks ./networks
COPY --from=build --chown=root:root /site/content ./content
COPY --from=build --chown=node:node /site/site ./site
RUN mkdir -m 700 /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 4321
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
  CMD node -e "fetch('http://127.0.0.1:'+process.env.PORT+'/healthz').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"
# Node itself is the process, so that SIGTERM reaches it and it drains.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "--v8-pool-size=1", "dist/server/main.mjs"]
