import { z } from "zod";
import {
  bearerToken,
  dnsServers,
  linkAddress,
  masterKey,
  masterKeys,
  metricsToken,
  oneLine,
  origins,
  postgresUrl,
  publicAddress,
  sender,
  serviceUrl,
  smtpUrl,
  trustedProxies,
  wholeNumber,
} from "../config/config-values.ts";
import { setting } from "../config/setting.ts";
import { SHAPES } from "../verifier/evidence-form.ts";

/** The environment variables of every deployment, independent of its services. */
export const ownSettings = z.object({
  NODE_ENV: setting(z.enum(["development", "test", "production"]).default("development"), {
    meaning: "`production` refuses generated secrets and the demo organization",
  }),
  HOST: setting(z.string().min(1).default("127.0.0.1"), { meaning: "the address on which the gateway listens" }),
  PORT: setting(wholeNumber(0, 65_535).default(4000), {
    meaning: "the gateway's port; 0 takes any free port",
  }),
  PUBLIC_URL: setting(publicAddress.optional(), {
    meaning: "the public address of the deployment, also in every `verify_url`; required in production",
    shown: "`http://localhost:$PORT`",
  }),
  OPERATOR_NAME: setting(oneLine(100).optional(), {
    meaning: "the name of whoever runs this deployment, as shown on pages, mails and receipts",
  }),
  OPERATOR_DETAILS: setting(oneLine(200).optional(), {
    meaning: "text after the operator's name, such as a registration number and the city",
  }),
  CONTACT_URL: setting(linkAddress.optional(), {
    meaning: "where pages and mails link for contact: `https://`, `http://` or `mailto:`",
  }),
  PRIVACY_URL: setting(linkAddress.optional(), { meaning: "where pages and mails link for the privacy notice" }),
  TERMS_URL: setting(linkAddress.optional(), { meaning: "where pages link for the terms of use" }),
  SAMPLE_CODE: setting(z.string().regex(SHAPES.verification_code, "must be a verification code").optional(), {
    meaning:
      "the verification code of a live proof of `/sample/contract.txt`, which the home page shows and offers to try. Register that file with your own organization. The home page shows no test proof and no proof of another file. `npm start` registers the file for the demo organization",
  }),
  SELO_DATA_DIR: setting(z.string().min(1).default(".data"), {
    meaning: "embedded Postgres, generated secrets, `demo.json`",
  }),
  STORAGE_FOLDER: setting(z.string().min(1).optional(), {
    meaning:
      "the folder of uploaded documents, encrypted, which all gateways and workers share; its file system must have hard links. Required in production",
    shown: "`$SELO_DATA_DIR/objects`",
  }),
  SELO_MASTER_KEY: setting(masterKey.optional(), {
    meaning: "32 bytes, hexadecimal or base64: encrypts private keys at rest; required in production",
    shown: "generated",
  }),
  SELO_MASTER_KEY_OTHERS: setting(masterKeys.optional(), {
    meaning: "other master keys, separated by commas, that only decrypt; set this while you replace the master key",
  }),
  DATABASE_URL: setting(postgresUrl.optional(), {
    meaning: "Postgres 15 or later, as login `selo_app`; required in production",
    shown: "embedded",
  }),
  DATABASE_ADMIN_URL: setting(postgresUrl.optional(), {
    meaning: "a login that may create roles, for `migrate` and the operator's commands",
    shown: "`DATABASE_URL`",
  }),
  DATABASE_WORKER_URL: setting(postgresUrl.optional(), {
    meaning: "the worker's connection, as login `selo_worker`",
    shown: "`DATABASE_ADMIN_URL`",
  }),
  DATABASE_POOL_SIZE: setting(wholeNumber(1, 1_000).default(10), { meaning: "connections of one gateway" }),
  IDEMPOTENCY_RETENTION_DAYS: setting(wholeNumber(1, 3_650).default(7), {
    meaning: "how long answers are kept for repeated requests",
    inDatabase: "idempotency_retention_days",
  }),
  PUBLIC_REQUESTS_PER_MINUTE: setting(wholeNumber(1, 1_000_000).default(60), {
    meaning:
      "requests a minute without a token from one address (IPv6: one /64), counted over all gateways; further requests get 429 with `Retry-After`",
  }),
  TOKEN_REQUESTS_PER_MINUTE: setting(wholeNumber(1, 10_000_000).default(6_000), {
    meaning:
      "requests a minute with one token, counted over all gateways; the header `RateLimit` says how many are left. After this many invalid tokens from one address, the next one gets 429 instead of 401. Valid tokens from the address are not affected",
  }),
  CORS_ORIGINS: setting(origins.optional(), {
    meaning: "origins whose pages may call from a browser, such as `https://app.example.com`; separated by commas",
  }),
  TRUST_PROXY: setting(trustedProxies.optional(), {
    meaning:
      "proxies whose `X-Forwarded-For` is believed: their number, or their addresses (IP, CIDR, `loopback`, `linklocal`, `uniquelocal`; separated by commas)",
  }),
  DNS_RESOLVERS: setting(dnsServers.optional(), {
    meaning:
      "DNS resolvers for delegations and the addresses of webhooks: IP addresses, separated by commas, each with `:port` if the port is not 53",
    shown: "those of the system",
    // Nobody is there: examples do not depend on the DNS of the day.
    inExamples: "127.0.0.1:1",
  }),
  WEBHOOK_DNS_SERVERS: setting(dnsServers.optional(), {
    meaning: "the earlier name of `DNS_RESOLVERS`. If both are set, `DNS_RESOLVERS` applies",
  }),
  DNS_LOOPBACK_PORT: setting(wholeNumber(1, 65_535).optional(), {
    meaning:
      "by default, nameservers of domains are only queried at public addresses. With this port, they are also queried at loopback addresses, at this port. For development and tests, never in production",
  }),
  SMTP_URL: setting(smtpUrl.optional(), {
    meaning:
      "mail server for the worker, `smtp://` or `smtps://`, with credentials if needed; with credentials STARTTLS is required. Without a mail server, mail waits, and a worker in production raises an alarm; `npm start` shows mails at `/dev/inbox` instead",
    shown: "caught at `npm start`",
  }),
  SMS_URL: setting(serviceUrl.optional(), {
    meaning:
      "the service that sends SMS, `https://`, or `http://` at a loopback address; set it for `migrate` and worker. Without it, envelopes with `auth_method` otp_sms cannot be sent in live; `npm start` shows SMS at `/dev/inbox` instead. `src/adapters/sms/README.md` says what it gets",
    shown: "caught at `npm start`",
    inDatabase: "sms_url",
  }),
  SMS_TOKEN: setting(bearerToken.optional(), {
    meaning: "the bearer token for that service, for the worker; required there with `SMS_URL`",
  }),
  MAIL_FROM: setting(sender.optional(), {
    meaning: "the sender of mail: an address, or a name and the address in `<>`",
    shown: "`Selo <no-reply@host of PUBLIC_URL>`",
  }),
  MAIL_DKIM_DOMAIN: setting(z.hostname().optional(), {
    meaning: "the signing domain (DKIM), if the mail server does not sign. Set all three DKIM settings or none",
  }),
  MAIL_DKIM_SELECTOR: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, "must be a DKIM selector")
      .optional(),
    { meaning: "the DKIM selector: names the domain's key" },
  ),
  MAIL_DKIM_KEY_FILE: setting(z.string().min(1).optional(), { meaning: "a PEM file with the private DKIM key" }),
  MAIL_RETENTION_DAYS: setting(wholeNumber(1, 3_650).default(30), {
    meaning: "days after which recipient and content of a sent or failed mail are erased",
    inDatabase: "mail_retention_days",
  }),
  SELO_TOKEN: setting(
    z
      .string()
      .regex(/^svc_(live|test)_[A-Za-z0-9_-]{43}$/, "must be a token of the API")
      .optional(),
    { meaning: "the token for `selo listen`; unlike `--token`, it is not visible in the list of processes" },
  ),
  METRICS_TOKEN: setting(metricsToken.optional(), {
    meaning: "the bearer token that opens `/metrics`; at least 16 characters",
  }),
  METRICS_HOST: setting(z.string().min(1).default("127.0.0.1"), {
    meaning: "the address on which `METRICS_PORT` listens",
  }),
  METRICS_PORT: setting(wholeNumber(0, 65_535).optional(), {
    meaning:
      "a separate listener of gateway, worker or nameserver for `/metrics` and `/healthz`; requires `METRICS_TOKEN` if it is set",
  }),
  WORKER_CONCURRENCY: setting(wholeNumber(1, 1_000).default(4), { meaning: "jobs of one worker at once" }),
  LOG_LEVEL: setting(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"), {
    meaning: "`fatal` … `trace`, `silent`",
    shown: "`info` (`warn` for `npm start`)",
  }),
  SHUTDOWN_GRACE_SECONDS: setting(wholeNumber(0, 3_600).default(10), {
    meaning: "seconds that running requests may take when the process stops",
  }),
});
