// The table in the guide to configuration says what the program does.
import fs from "node:fs";
import path from "node:path";
import { parseCrontab } from "graphile-worker";
import { describe, expect, test } from "vitest";
import { DnsResolver } from "../../src/adapters/outgoing-http/resolver.ts";
import { type Config, ConfigError } from "../../src/config/config.ts";
import { readConfig, settingsOf } from "../../src/main/config.ts";
import { services } from "../../src/services/services.ts";
import { productFacts, type SettingFacts } from "../support/service-facts.ts";

const GUIDE = fs.readFileSync(new URL("../../src/web/guides/configuration.md", import.meta.url), "utf8");

/** The defaults the table gives, as they are written there, by variable. */
function documented(): Record<string, string> {
  const [, table = ""] = /\| variable \| default \| meaning \|\n\|[ -|]+\|\n((?:\|.*\|\n)+)/.exec(GUIDE) ?? [];
  const rows = table.trimEnd().split("\n");
  return Object.fromEntries(
    rows.flatMap((row) => {
      const [, variables = "", defaults = ""] = row.split(/ *\| */);
      const names = variables.split(", ").map((name) => name.replaceAll("`", ""));
      const values = names.length > 1 ? defaults.split(", ") : [defaults];
      return names.map((name, place) => [name, values[place] ?? ""]);
    }),
  );
}

/** The settings of services, each with its variable. */
const ofServices: readonly [string, SettingFacts][] = productFacts.flatMap(({ settings = {} }) =>
  Object.entries(settings),
);

/** What a setting of a service is. */
function settingOf(config: Config, name: string): unknown {
  const own = settingsOf(services).find(({ shape }) => name in shape);
  if (own === undefined) throw new Error(`no service has the setting ${name}`);
  return config.of(own)[name];
}

const shownOf =
  (name: string, { otherwise = "none", more = "" }: SettingFacts) =>
  (config: Config) => {
    const value = settingOf(config, name);
    return (value === undefined ? otherwise : `\`${value}\``) + more;
  };

/** What each variable's default becomes. A variable of the table without an entry fails the tests. */
const members: Readonly<Record<string, (config: Config) => unknown>> = {
  NODE_ENV: ({ production }) => (production ? "`production`" : "`development`"),
  HOST: ({ host }) => `\`${host}\``,
  PORT: ({ port }) => `\`${port}\``,
  PUBLIC_URL: ({ publicUrl }) => `\`${publicUrl.replace("4000", "$PORT")}\``,
  SELO_DATA_DIR: ({ dataDir }) => `\`${path.relative(process.cwd(), dataDir)}\``,
  STORAGE_FOLDER: ({ storageFolder, dataDir }) => `\`$SELO_DATA_DIR/${path.relative(dataDir, storageFolder)}\``,
  SELO_MASTER_KEY: ({ masterKey }) => (masterKey === null ? "generated" : "given"),
  SELO_MASTER_KEY_OTHERS: ({ otherMasterKeys }) => (otherMasterKeys.length === 0 ? "none" : "some"),
  DATABASE_URL: ({ databaseUrl }) => (databaseUrl === null ? "embedded" : "given"),
  DATABASE_ADMIN_URL: () => "`DATABASE_URL`", // asked below
  DATABASE_WORKER_URL: () => "`DATABASE_ADMIN_URL`",
  DATABASE_POOL_SIZE: ({ databasePoolSize }) => `\`${databasePoolSize}\``,
  IDEMPOTENCY_RETENTION_DAYS: ({ idempotencyRetentionDays }) => `\`${idempotencyRetentionDays}\``,
  PUBLIC_REQUESTS_PER_MINUTE: ({ publicRequestsPerMinute }) => `\`${publicRequestsPerMinute}\``,
  TOKEN_REQUESTS_PER_MINUTE: ({ tokenRequestsPerMinute }) => `\`${tokenRequestsPerMinute}\``,
  CORS_ORIGINS: ({ corsOrigins }) => (corsOrigins.length === 0 ? "none" : "some"),
  OPERATOR_NAME: ({ operator }) => operator.name ?? "none",
  OPERATOR_DETAILS: ({ operator }) => operator.details ?? "none",
  CONTACT_URL: ({ operator }) => operator.contact ?? "none",
  PRIVACY_URL: ({ operator }) => operator.privacy ?? "none",
  TERMS_URL: ({ operator }) => operator.terms ?? "none",
  SAMPLE_CODE: ({ sampleCode }) => sampleCode ?? "none",
  TRUST_PROXY: ({ trustProxy }) => (trustProxy === null ? "none" : "some"),
  SMTP_URL: ({ smtpUrl }) => (smtpUrl === null ? "caught at `npm start`" : "given"),
  SMS_URL: ({ sms }) => (sms === null ? "caught at `npm start`" : "given"),
  SMS_TOKEN: ({ sms }) => sms?.token ?? "none",
  MAIL_FROM: ({ mailFrom }) => `\`${mailFrom.name} <${mailFrom.address.replace("localhost", "host of PUBLIC_URL")}>\``,
  MAIL_DKIM_DOMAIN: ({ mailDkim }) => (mailDkim === null ? "none" : "given"),
  MAIL_DKIM_SELECTOR: ({ mailDkim }) => (mailDkim === null ? "none" : "given"),
  MAIL_DKIM_KEY_FILE: ({ mailDkim }) => (mailDkim === null ? "none" : "given"),
  MAIL_RETENTION_DAYS: ({ mailRetentionDays }) => `\`${mailRetentionDays}\``,
  DNS_RESOLVERS: ({ dnsResolvers }) => (dnsResolvers === null ? "those of the system" : "given"),
  WEBHOOK_DNS_SERVERS: ({ dnsResolvers }) => (dnsResolvers === null ? "none" : "given"),
  DNS_LOOPBACK_PORT: ({ dnsLoopbackPort }) => (dnsLoopbackPort === null ? "none" : "given"),
  SELO_TOKEN: ({ apiToken }) => apiToken ?? "none",
  METRICS_TOKEN: ({ metricsToken }) => metricsToken ?? "none",
  METRICS_HOST: ({ metricsHost }) => `\`${metricsHost}\``,
  METRICS_PORT: ({ metricsPort }) => (metricsPort === null ? "none" : "given"),
  WORKER_CONCURRENCY: ({ workerConcurrency }) => `\`${workerConcurrency}\``,
  LOG_LEVEL: ({ logLevel }) => `\`${logLevel}\` (\`warn\` for \`npm start\`)`,
  SHUTDOWN_GRACE_SECONDS: ({ shutdownGraceSeconds }) => `\`${shutdownGraceSeconds}\``,
  ...Object.fromEntries(ofServices.map(([name, facts]) => [name, shownOf(name, facts)])),
};

describe("the table of configuration", () => {
  test("has these variables and no others", () => {
    expect(Object.keys(documented()).sort()).toEqual(Object.keys(members).sort());
  });

  test.each(Object.entries(members))("%s: an empty environment gives the default of the table", (name, member) => {
    expect(member(readConfig({}))).toBe(documented()[name]);
  });
});

const taken = ofServices.flatMap(([name, facts]) => (facts.taken ?? []).map((each) => [name, ...each] as const));
test.each(taken)("%s=%s is taken", (name, text, value) => {
  expect(settingOf(readConfig({ [name]: text }), name)).toEqual(value);
});

test.each(["https://sms.example/send?x=1", "http://127.0.0.1:8080/", "http://[::1]:8080/send", "http://localhost:1"])(
  "SMS_URL=%s is taken, with its token",
  (url) => {
    expect(readConfig({ SMS_URL: url, SMS_TOKEN: "secret" }).sms).toEqual({ url, token: "secret" });
    expect(readConfig({ SMS_URL: url }).sms).toEqual({ url, token: null });
    expect(readConfig({ SMS_TOKEN: "secret" }).sms).toBeNull();
  },
);

test("databases that are not named are those that are: the administrator's is the gateway's, the worker's the administrator's", () => {
  const [app, admin, worker] = ["postgres://a@h/d", "postgres://b@h/d", "postgres://c@h/d"];
  const urls = (environment: Record<string, string>) => {
    const { databaseUrl, databaseAdminUrl, databaseWorkerUrl } = readConfig(environment);
    return [databaseUrl, databaseAdminUrl, databaseWorkerUrl];
  };
  expect(urls({})).toEqual([null, null, null]);
  expect(urls({ DATABASE_URL: app })).toEqual([app, app, app]);
  expect(urls({ DATABASE_URL: app, DATABASE_ADMIN_URL: admin })).toEqual([app, admin, admin]);
  expect(urls({ DATABASE_URL: app, DATABASE_WORKER_URL: worker })).toEqual([app, app, worker]);
});

test.each(["zzz", "1.5", "-1", "65536", "1e3"])("METRICS_PORT=%s is refused, with the numbers it may be", (text) => {
  expect(() => readConfig({ METRICS_PORT: text })).toThrow(/^METRICS_PORT: must be a whole number from 0 to 65535$/);
});

test("PUBLIC_URL follows PORT, and loses the slash at its end", () => {
  expect(readConfig({ PORT: "5000" }).publicUrl).toBe("http://localhost:5000");
  expect(readConfig({ PORT: "5000", PUBLIC_URL: "https://selo.example/" }).publicUrl).toBe("https://selo.example");
});

test.each(["0 3 * * *", "*/5 0,12 1-15 * 0-6", "59 23 31 12 6"])("AUDIT_SEAL_SCHEDULE=%s is taken", (schedule) => {
  expect(settingOf(readConfig({ AUDIT_SEAL_SCHEDULE: schedule }), "AUDIT_SEAL_SCHEDULE")).toBe(schedule);
  // And by the worker's own reader.
  expect(parseCrontab(`${schedule} platform__seal_audit ?max=5`)).toHaveLength(1);
});

test("SAMPLE_CODE is a verification code as receipts print it", () => {
  expect(readConfig({ SAMPLE_CODE: "7Q2M-K9XT-4HBC" }).sampleCode).toBe("7Q2M-K9XT-4HBC");
  for (const wrong of ["7Q2MK9XT4HBC", "7q2m-k9xt-4hbc", "7Q2M-K9XT-4HBC/../x", "OOOO-OOOO-OOOO"])
    expect(() => readConfig({ SAMPLE_CODE: wrong })).toThrow("SAMPLE_CODE: must be a verification code");
});

test("TRUST_PROXY is how many proxies there are, or their addresses", () => {
  expect(readConfig({ TRUST_PROXY: "2" }).trustProxy).toBe(2);
  expect(readConfig({ TRUST_PROXY: "loopback, 10.0.0.0/8,2001:db8::/32, 192.0.2.1" }).trustProxy).toEqual([
    "loopback",
    "10.0.0.0/8",
    "2001:db8::/32",
    "192.0.2.1",
  ]);
});

test("MAIL_FROM is an address, or a name and an address; otherwise it is made of PUBLIC_URL", () => {
  expect(readConfig({ MAIL_FROM: "selo@selo.example" }).mailFrom).toEqual({ name: "", address: "selo@selo.example" });
  expect(readConfig({ MAIL_FROM: "Selo, São Paulo <selo@selo.example>" }).mailFrom).toEqual({
    name: "Selo, São Paulo",
    address: "selo@selo.example",
  });
  expect(readConfig({ PUBLIC_URL: "https://selo.example:8443" }).mailFrom.address).toBe("no-reply@selo.example");
});

test("the settings of DKIM come together, and what is missing is named", () => {
  const all = { MAIL_DKIM_DOMAIN: "selo.example", MAIL_DKIM_SELECTOR: "s1", MAIL_DKIM_KEY_FILE: "/run/dkim.pem" };
  expect(readConfig(all).mailDkim).toEqual({ domain: "selo.example", selector: "s1", keyFile: "/run/dkim.pem" });
  for (const name of Object.keys(all)) {
    expect(() => readConfig({ ...all, [name]: "" })).toThrow(new RegExp(`^${name}: must be set`));
  }
});

test("DNS_RESOLVERS, or WEBHOOK_DNS_SERVERS where it is absent, names the name servers that are asked", () => {
  const servers = ["192.0.2.53", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]:65535"];
  for (const name of ["DNS_RESOLVERS", "WEBHOOK_DNS_SERVERS"])
    expect(readConfig({ [name]: servers.join(", ") }).dnsResolvers).toEqual(servers);
  expect(readConfig({ DNS_RESOLVERS: "192.0.2.1", WEBHOOK_DNS_SERVERS: "192.0.2.2" }).dnsResolvers).toEqual([
    "192.0.2.1",
  ]);
  // And by whoever asks them.
  expect(() => new DnsResolver(servers)).not.toThrow();
});

test("CORS_ORIGINS names origins, and nothing else", () => {
  expect(readConfig({ CORS_ORIGINS: "https://a.example, http://localhost:3000" }).corsOrigins).toEqual([
    "https://a.example",
    "http://localhost:3000",
  ]);
  for (const wrong of [
    "*",
    "a.example",
    "https://a.example/",
    "https://a.example/path",
    "https://a.example,",
    "null",
    "file:///x",
  ])
    expect(() => readConfig({ CORS_ORIGINS: wrong }), wrong).toThrow(/^CORS_ORIGINS: must be origins/);
});

test("an empty variable is as good as none", () => {
  const empty = Object.fromEntries(Object.keys(members).map((name) => [name, ""]));
  const values = (config: Config) => ({
    ...config,
    of: null,
    environment: {},
    services: settingsOf(services).map((each) => config.of(each)),
  });
  expect(values(readConfig(empty))).toEqual(values(readConfig({})));
});

test("production demands what is otherwise generated or embedded, and names all of it", () => {
  expect(() => readConfig({ NODE_ENV: "production" })).toThrow(
    /SELO_MASTER_KEY.*\n.*DATABASE_URL.*\n.*PUBLIC_URL.*\n.*STORAGE_FOLDER/,
  );
  const given = {
    SELO_MASTER_KEY: "11".repeat(32),
    DATABASE_URL: "postgres://a@h/d",
    PUBLIC_URL: "https://selo.example",
    STORAGE_FOLDER: "/objects",
  };
  expect(readConfig({ NODE_ENV: "production", ...given }).production).toBe(true);
  // What is for development alone is refused.
  const ofDevelopment = { DNS_LOOPBACK_PORT: "5300" };
  expect(() => readConfig({ NODE_ENV: "production", ...given, ...ofDevelopment })).toThrow(
    new ConfigError("DNS_LOOPBACK_PORT: must not be set when NODE_ENV is production"),
  );
  expect(readConfig(ofDevelopment).dnsLoopbackPort).toBe(5300);
  for (const [name, { neverInProduction: value }] of ofServices) {
    if (value === undefined) continue;
    const ofService = { [name]: value };
    expect(() => readConfig({ NODE_ENV: "production", ...given, ...ofService, ...ofDevelopment })).toThrow(
      new ConfigError(
        `${name}: must not be ${value} when NODE_ENV is production\nDNS_LOOPBACK_PORT: must not be set when NODE_ENV is production`,
      ),
    );
    expect(settingOf(readConfig(ofService), name)).toBe(value);
  }
});

const refused = ofServices.flatMap(([name, facts]) => (facts.refused ?? []).map((each) => [name, ...each] as const));

test.each<readonly [name: string, value: string]>([
  ["PORT", "65536"],
  ["PORT", "http"],
  ["PUBLIC_URL", "ftp://selo.example"],
  ["PUBLIC_URL", "https://admin:secret@selo.example"],
  ["PUBLIC_URL", "https://secret@selo.example"],
  ["PUBLIC_URL", "https://:secret@selo.example"],
  ["PUBLIC_URL", "https://selo.example/?key=secret"],
  ["PUBLIC_URL", "https://@selo.example"],
  ["PUBLIC_URL", "https://selo.example/?"],
  ["PUBLIC_URL", "https://selo.example\\@elsewhere.example"],
  ["LOG_LEVEL", "loud"],
  ["SELO_MASTER_KEY", "11".repeat(31)],
  ["SELO_MASTER_KEY_OTHERS", "11".repeat(31)],
  ["SELO_MASTER_KEY_OTHERS", `${"11".repeat(32)},,${"22".repeat(32)}`],
  ["DATABASE_URL", "mysql://a:secret@h/d"],
  ["DATABASE_POOL_SIZE", "0000"],
  ["IDEMPOTENCY_RETENTION_DAYS", "00"],
  ["WORKER_CONCURRENCY", "1.5"],
  ["PUBLIC_REQUESTS_PER_MINUTE", "0000000"],
  ["PUBLIC_REQUESTS_PER_MINUTE", "1e7"],
  ["TRUST_PROXY", "true"],
  ["TRUST_PROXY", "-1"],
  ["TRUST_PROXY", "100"],
  ["TRUST_PROXY", "proxy.example"],
  ["TRUST_PROXY", "10.0.0.0/33"],
  ["TRUST_PROXY", "10.0.0.0/"],
  ["TRUST_PROXY", "10.0.0.0/8/8"],
  ["TRUST_PROXY", "2001:db8::/129"],
  ["TRUST_PROXY", "10.0.0.1,,10.0.0.2"],
  ["SMTP_URL", "http://mail.example"],
  ["SMTP_URL", "mail.example:25"],
  ["SMS_URL", "http://sms.example"],
  ["SMS_URL", "https://name:secret@sms.example"],
  ["SMS_URL", "http://127.0.0.1.example"],
  ["SMS_URL", "ftp://127.0.0.1"],
  ["SMS_URL", "sms.example"],
  ["SMS_TOKEN", "two words"],
  ["SMS_TOKEN", "line\nbreak"],
  ["MAIL_FROM", "nobody"],
  ["MAIL_FROM", "a@b.example, c@d.example"],
  ["MAIL_FROM", "Selo <a@b.example>\r\nBcc: <c@d.example>"],
  ["MAIL_FROM", "Selo\nBcc: c <a@b.example>"],
  ["MAIL_DKIM_SELECTOR", "s1; d=x"],
  ["MAIL_RETENTION_DAYS", "00"],
  ["WEBHOOK_DNS_SERVERS", "names.example"],
  ["WEBHOOK_DNS_SERVERS", "192.0.2.53:0"],
  ["WEBHOOK_DNS_SERVERS", "192.0.2.53:65536"],
  ["WEBHOOK_DNS_SERVERS", "192.0.2.53,,192.0.2.54"],
  ["WEBHOOK_DNS_SERVERS", "[192.0.2.53]:53"],
  ["WEBHOOK_DNS_SERVERS", "[2001:db8::53]"],
  ["WEBHOOK_DNS_SERVERS", "fe80::1%eth0"],
  ["SELO_TOKEN", "svc_test_short"],
  ["METRICS_TOKEN", "fifteen-letters"],
  ["METRICS_TOKEN", "a token with a space"],
  ["METRICS_PORT", "65536"],
  ["AUDIT_SEAL_SCHEDULE", "daily"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 * *"],
  ["AUDIT_SEAL_SCHEDULE", "*/0 3 * * *"],
  ["AUDIT_SEAL_SCHEDULE", "60 3 * * *"],
  ["AUDIT_SEAL_SCHEDULE", "0 24 * * *"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 0 * *"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 * 13 *"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 * * 7"],
  ["AUDIT_SEAL_SCHEDULE", "5-1 3 * * *"],
  ["AUDIT_SEAL_SCHEDULE", "-- 3 * * *"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 * * * ?max=1"],
  ["AUDIT_SEAL_SCHEDULE", "0 3 * * *\n* * * * * x"],
  ["SHUTDOWN_GRACE_SECONDS", "-1"],
  ...refused.flatMap(([name, text, says]) => (says === undefined ? [[name, text] as const] : [])),
])("%s=%s stops the start with a message that names the variable and not the value", (name, value) => {
  let message = "";
  try {
    readConfig({ [name]: value });
  } catch (error) {
    message = String(error);
  }
  expect(message).toMatch(new RegExp(`^ConfigError: ${name}: `));
  expect(message).not.toContain(value);
});

const saying = refused.flatMap(([name, text, says]) => (says === undefined ? [] : [[name, text, says] as const]));
test.each(saying)("%s=%s is refused", (name, text, says) => {
  expect(() => readConfig({ [name]: text })).toThrow(`${name}: ${says}`);
});
