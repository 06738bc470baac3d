import { describe, expect, test } from "vitest";
import { configText, type NameserverSettings } from "../../../src/adapters/nameserver/config-file.ts";
import { connectionOf, passwordLine } from "../../../src/adapters/nameserver/connection.ts";

const PASSWORD = "p:a\\ss'word";
const url = `postgres://selo_dns:${encodeURIComponent(PASSWORD)}@db.example:6432/selo?sslmode=verify-full&sslrootcert=/ca.pem&pool=1`;
const settings: NameserverSettings = {
  connection: connectionOf(url),
  passwordFile: "/run/it's here/pgpass",
  addresses: ["192.0.2.1", "2001:db8::1"],
  port: 53,
  socketDir: "/run/socket",
  apiPort: 8081,
  apiKey: "secret-key",
};
const lines = (given: Partial<NameserverSettings> = {}) =>
  configText({ ...settings, ...given })
    .trimEnd()
    .split("\n");

describe("the address of the database", () => {
  test("host, port, names, and what libpq knows of the rest", () => {
    expect(connectionOf(url)).toEqual({
      host: "db.example",
      port: 6432,
      database: "selo",
      user: "selo_dns",
      password: PASSWORD,
      parameters: { sslmode: "verify-full", sslrootcert: "/ca.pem" },
    });
  });

  test("the folder of a socket stands in place of the host, or in a parameter", () => {
    expect(connectionOf("postgres://selo_dns:x@%2Ftmp%2Fsocket:20000/selo")).toMatchObject({
      host: "/tmp/socket",
      port: 20_000,
    });
    expect(connectionOf("postgres://selo_dns:x@localhost/selo?host=/tmp/socket")).toMatchObject({
      host: "/tmp/socket",
      port: 5432,
    });
    expect(connectionOf("postgres://selo_dns:x@[::1]/selo")).toMatchObject({ host: "::1" });
  });

  test.each([
    ["postgres://selo_dns@localhost/selo", "password"],
    ["postgres://:x@localhost/selo", "user"],
    ["postgres://selo_dns:x@localhost", "database"],
  ])("%s lacks its %s", (address, what) => {
    expect(() => connectionOf(address)).toThrow(`DATABASE_DNS_URL: the address lacks ${what}`);
  });

  test("the line of the password escapes what libpq would take for an end", () => {
    expect(passwordLine(settings.connection)).toBe("*:*:*:*:p\\:a\\\\ss'word\n");
  });
});

describe("the settings of PowerDNS", () => {
  test("nothing but answers leaves it", () => {
    expect(lines()).toEqual(
      expect.arrayContaining([
        "disable-axfr=yes",
        "dnsupdate=no",
        "enable-lua-records=no",
        "version-string=anonymous",
        "server-id=disabled",
        "security-poll-suffix=",
        "webserver-address=127.0.0.1",
        "webserver-allow-from=127.0.0.1",
      ]),
    );
  });

  test("answers and what they are made of last half a minute each, zones a minute, and signatures fill no memory without end", () => {
    expect(lines()).toEqual(
      expect.arrayContaining([
        "cache-ttl=30",
        "query-cache-ttl=30",
        "negquery-cache-ttl=30",
        "zone-cache-refresh-interval=60",
        "dnssec-key-cache-ttl=30",
        "zone-metadata-cache-ttl=30",
        "max-signature-cache-entries=500000",
      ]),
    );
  });

  test("what was given stands there, the password does not", () => {
    expect(lines()).toEqual(
      expect.arrayContaining([
        "gpgsql-host=db.example",
        "gpgsql-port=6432",
        "gpgsql-dbname=selo",
        "gpgsql-user=selo_dns",
        "local-address=192.0.2.1,2001:db8::1",
        "local-port=53",
        "api-key=secret-key",
        "webserver-port=8081",
      ]),
    );
    const parameters = lines().find((line) => line.startsWith("gpgsql-extra-connection-parameters="));
    expect(parameters).toContain("options='-c search_path=pdns ");
    expect(parameters).toContain("passfile='/run/it\\'s here/pgpass'");
    expect(parameters).toContain("sslmode='verify-full' sslrootcert='/ca.pem'");
    expect(configText(settings)).not.toContain("ss'word");
  });

  test.each(["a\nlaunch=bind", "a #b", "#a", " a", "a ", "a\u0000", "a\rb"])(
    "a value that would be read otherwise: %j",
    (user) => {
      expect(() => configText({ ...settings, connection: { ...settings.connection, user } })).toThrow(
        "PowerDNS cannot take the value of gpgsql-user",
      );
    },
  );
});
