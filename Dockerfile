# The image of gateway, worker and the operator's commands. compose.yaml runs all of them; src/web/guides/operating.md, With Docker.

# ── Build: TypeScript to JavaScript, and the web app ────────────────────────────────────────────────────────────────
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /selo
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, so the package `node` need not fetch one: no scripts.
RUN npm ci --ignore-scripts && rm -f node_modules/.bin/node
COPY . .
RUN npm run build

# ── What production needs of node_modules ───────────────────────────────────────────────────────────────────────────
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /selo
COPY package.json package-lock.json .npmrc ./
# Optional is the embedded Postgres, for which there is a server here.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && rm -f node_modules/.bin/node && mkdir /objects

# ── Run ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
FROM node:24.21.0-bookworm-slim
# All addresses, for a container's own are those others reach it by; what the world reaches is said where it is run.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /selo
COPY --from=dependencies /selo/node_modules node_modules
COPY --from=build /selo/dist dist
COPY package.json ./
# A volume that is mounted here begins with this owner.
COPY --from=dependencies --chown=node:node /objects /objects
COPY sql sql
COPY schema schema
# A user of the base image that owns nothing else: the processes write documents there and no other files.
USER node
EXPOSE 4000
# Of the gateway. The worker has no port: compose.yaml turns the check off there.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The exec form: signals reach the program itself, which then finishes what is under way.
ENTRYPOINT ["node", "dist/src/main/cli.js"]
CMD ["gateway"]
