# The image of gateway, worker and the operator's commands, and that of the nameserver (--target nameserver).
# compose.yaml runs all of them; src/web/guides/docker.md.

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
FROM node:24.21.0-bookworm-slim AS run
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

# ── The nameserver: the same program, with PowerDNS. It listens on port 53 without a right of its own where the container's
# net.ipv4.ip_unprivileged_port_start is at most 53 (compose.yaml sets it), and on 5380 for gateways and workers ──────────
FROM run AS nameserver
USER root
# openssl makes the certificate of the control port, see compose.yaml. Fixes of Debian's release have the same first two numbers.
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openssl pdns-server=4.7.* pdns-backend-pgsql=4.7.* \
  && rm -rf /var/lib/apt/lists/* /etc/powerdns \
  && install -d -o node -g node -m 0700 /control/key && install -d -o node -g node /control/certificate
ENV NAMESERVER_ADDRESS=0.0.0.0 NAMESERVER_CONTROL_ADDRESS=0.0.0.0 SELO_DATA_DIR=/tmp/selo
USER node
EXPOSE 53/udp 53/tcp 5380
# It refuses a name that it has no zone for. That is an answer.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const asked = new (require('node:dns').promises.Resolver)({ timeout: 2000, tries: 1 }); asked.setServers(['127.0.0.1:' + (process.env.NAMESERVER_PORT || 53)]); asked.resolve4('health.invalid').then(() => process.exit(0), ({ code }) => process.exit(code === 'EREFUSED' ? 0 : 1))"]
CMD ["nameserver"]

# ── What `docker build .` makes ─────────────────────────────────────────────────────────────────────────────────────
FROM run
