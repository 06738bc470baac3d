// The control of a nameserver over TLS, with certificates that openssl made: what gateways trust, and what goes over the wire in the clear.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { flushZones, pingControl } from "../../../src/adapters/nameserver/control-client.ts";
import { requestControl } from "../../../src/adapters/nameserver/control-request.ts";
import { type ControlServer, startControl } from "../../../src/adapters/nameserver/control-server.ts";
import { readConfig } from "../../../src/main/config.ts";
import { createLogger } from "../../../src/main/log.ts";
import { controlAccess } from "../../../src/services/dns/nameserver/control-access.ts";
import { nameserversOf } from "../../../src/services/dns/nameserver/nameservers-of.ts";
import { metricsOf } from "../../../src/surfaces/metrics/load-metrics.ts";

const KEY = "k".repeat(32);
const SUBJECTS = { right: "IP:127.0.0.1", wrong: "DNS:other.example" } as const;

let folder: string;
let flushed: string[];
/** One with the certificate of its address, and one with that of another name. */
let control: ControlServer;
let misnamed: ControlServer;
const file = (name: string) => path.join(folder, name);
const pem = (name: string) => fs.readFileSync(file(name), "utf8");

/** An authority, and certificates that it signs. */
function makeAuthority(name: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
  );
  for (const [which, subject] of Object.entries(SUBJECTS)) {
    const own = `${name}-${which}`;
    openssl("req", ...key, "-subj", "/CN=nameserver", "-keyout", `${own}.key`, "-out", `${own}.csr`);
    fs.writeFileSync(file(`${own}.ext`), `subjectAltName=${subject}\n`);
    openssl(
      ...["x509", "-req", "-in", `${own}.csr`, "-CA", `${name}.pem`, "-CAkey", `${name}.key`, "-days", "2"],
      ...["-extfile", `${own}.ext`, "-out", `${own}.pem`],
    );
  }
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-control-tls-"));
  for (const name of ["ours", "theirs"]) makeAuthority(name);
  flushed = [];
  const start = (certificate: string) =>
    startControl({
      address: "127.0.0.1",
      port: 0,
      key: KEY,
      tls: { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) },
      powerDns: () => ({
        isReady: async () => true,
        flush: async (zone) => void flushed.push(zone),
        purge: async () => {},
        purgeAll: async () => {},
        learnZones: async () => {},
        statistics: async () => new Map(),
      }),
      log: () => {},
    });
  control = await start("ours-right");
  misnamed = await start("ours-wrong");
});
afterAll(async () => {
  await control?.close();
  await misnamed?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const access = (given: { ca?: string | null; key?: string; url?: string } = {}) => ({
  urls: [given.url ?? control.url],
  key: given.key ?? KEY,
  ca: given.ca === undefined ? pem("ours.pem") : given.ca,
});
const status = (given: Parameters<typeof access>[0] = {}, request: { path?: string; body?: string } = {}) => {
  const { urls, ...rest } = access(given);
  const { path: at = "/flush", body = '{"zones": ["a.test"]}' } = request;
  return requestControl(rest, urls[0] ?? "", { method: "POST", path: at, body, signal: AbortSignal.timeout(5_000) });
};

describe("a gateway", () => {
  test("that trusts the authority is served over https, also again on the kept connection", async () => {
    expect(control.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const zone of ["one.test", "two.test"]) {
      expect(await flushZones(access(), [zone])).toEqual({ confirmed: 1, of: 1 });
      expect(flushed.at(-1)).toBe(zone);
    }
    expect(await pingControl(access(), control.url)).toBe(true);
  });

  test("that trusts the nameserver's own certificate is served", async () => {
    expect(await flushZones(access({ ca: pem("ours-right.pem") }), ["own.test"])).toEqual({ confirmed: 1, of: 1 });
  });

  test.each([
    [
      "another authority",
      "theirs.pem",
      /unable to verify the first certificate|unable to get local issuer certificate/,
    ],
    [
      "the authorities that Node trusts",
      null,
      /unable to verify the first certificate|unable to get local issuer certificate/,
    ],
  ])("that trusts %s sends nothing, not even its key", async (_, name, reason) => {
    const before = flushed.length;
    const ca = name === null ? null : pem(name);
    await expect(status({ ca })).rejects.toThrow(reason);
    expect(await flushZones(access({ ca }), ["c.test"])).toEqual({ confirmed: 0, of: 1 });
    expect(await pingControl(access({ ca }), control.url)).toBe(false);
    expect(flushed).toHaveLength(before);
  });

  test("refuses the certificate of another name", async () => {
    await expect(status({ url: misnamed.url })).rejects.toThrow(/does not match certificate's altnames/);
    expect(await flushZones(access({ url: misnamed.url }), ["d.test"])).toEqual({ confirmed: 0, of: 1 });
  });

  test("with another key is 401", async () => {
    expect(await status({ key: "x".repeat(32) })).toBe(401);
    expect(await status()).toBe(204);
  });

  test("that speaks plain http gets no answer", async () => {
    await expect(status({ url: control.url.replace("https:", "http:") })).rejects.toThrow(/socket hang up|ECONNRESET/);
  });
});

test("a key file that does not belong to the certificate is refused at the start", async () => {
  const tls = { cert: file("ours-right.pem"), key: file("theirs-right.key") };
  const options = { address: "127.0.0.1", port: 0, key: KEY, powerDns: () => null, log: () => {} };
  await expect(startControl({ ...options, tls })).rejects.toThrow(/key values mismatch/);
});

describe("settings", () => {
  const config = (environment: Readonly<Record<string, string>>) =>
    readConfig({ NAMESERVER_CONTROL_KEY: KEY, SELO_DATA_DIR: folder, ...environment });

  test.each([
    "http://192.0.2.1:5380",
    "http://ns1.example.net:5380",
    "http://127.0.0.1.example.net:5380",
    "http://[2001:db8::1]:5380",
  ])("%s is refused: the key would travel in the clear", (url) => {
    expect(() => config({ NAMESERVER_CONTROL_URLS: url })).toThrow(
      "NAMESERVER_CONTROL_URLS: must be https:// addresses, separated by commas; http:// only of 127.0.0.1 or [::1]",
    );
  });

  test("NAMESERVER_CONTROL_TLS_CA names the file of what is trusted, which is read again for each flush", async () => {
    const trusted = file("trusted.pem");
    const own = config({ NAMESERVER_CONTROL_URLS: control.url, NAMESERVER_CONTROL_TLS_CA: trusted });
    expect(() => controlAccess(own)).toThrow(`NAMESERVER_CONTROL_TLS_CA: ${trusted} cannot be read (ENOENT)`);
    const nameservers = nameserversOf({
      config: own,
      log: createLogger("silent"),
      metrics: metricsOf([]),
      onClose: (close) => void onTestFinished(close),
    });
    // A change that is committed is answered all the same.
    expect(await nameservers.flush(["e.test"])).toEqual({ confirmed: 0, of: 1 });
    fs.copyFileSync(file("theirs.pem"), trusted);
    expect(await nameservers.flush(["e.test"])).toEqual({ confirmed: 0, of: 1 });
    fs.copyFileSync(file("ours.pem"), trusted);
    expect(await nameservers.flush(["e.test"])).toEqual({ confirmed: 1, of: 1 });
  });

  test("an address without its key is refused", () => {
    const own = config({ NAMESERVER_CONTROL_URLS: control.url, NAMESERVER_CONTROL_KEY: "" });
    expect(() => controlAccess(own)).toThrow("NAMESERVER_CONTROL_KEY: must be set with NAMESERVER_CONTROL_URLS");
  });
});
