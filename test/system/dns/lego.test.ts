// An unmodified lego gets a wildcard certificate from an authority that asks our nameserver: issue "DNS hosting II" §5.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordBody, ZoneBody } from "../../services/dns/dns-stage.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { type Pebble, startPebble } from "./pebble.ts";

const run = promisify(execFile);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-lego-"));
let deployment: DnsDeployment;
let pebble: Pebble;
let zone: ZoneBody;
beforeAll(async () => {
  deployment = await DnsDeployment.open();
  pebble = await startPebble(folder, deployment.nameserver);
  zone = await deployment.zone("wild.example");
  await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
  await deployment.record(zone, { name: "@", type: "TXT", content: "v=spf1 -all" });
}, 400_000);
afterAll(async () => {
  await pebble?.stop();
  await deployment?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const records = async () => (await deployment.ask("GET", `/zones/${zone.id}/records`)).body;

/** Asks for a certificate as its manual says. */
async function lego(key: string, domains: readonly string[], name: string) {
  const { host, port } = deployment.nameserver;
  const data = path.join(folder, name);
  const words = [
    ...["--server", pebble.directory, "--accept-tos", "--email", "robot@wild.example", "--path", data],
    // The nameserver has its own port here, where it asks for the zone of a name. It cannot be found on port 53.
    ...["--dns", "pdns", "--dns.resolvers", `${host}:${port}`, "--dns.disable-cp"],
    ...domains.flatMap((domain) => ["--domains", domain]),
    "run",
  ];
  const environment = {
    ...process.env,
    PDNS_API_URL: deployment.baseUrl,
    PDNS_API_KEY: key,
    LEGO_CA_CERTIFICATES: pebble.certificateFile,
  };
  const ended = await run("lego", words, { env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
  return { ...ended, certificate: path.join(data, `certificates/_.${zone.name}.crt`) };
}

test("a wildcard certificate, with a key that is narrowed to the zone and to TXT records of _acme-challenge", async () => {
  const key = await deployment.newKey("--zones", String(zone.id), "--acme-only");
  const before = await records();
  const { code, said, certificate } = await lego(key, [`*.${zone.name}`, zone.name], "narrowed");
  expect({ code, said }).toMatchObject({ code: 0 });
  const root = path.join(folder, "root.pem");
  fs.writeFileSync(root, await pebble.root());
  const { stdout } = await run("openssl", ["x509", "-in", certificate, "-noout", "-ext", "subjectAltName"]);
  expect(stdout).toMatch(/DNS:\*\.wild\.example, DNS:wild\.example$/m);
  // The file has the certificate, and the one between it and the root.
  const verified = await run("openssl", ["verify", "-CAfile", root, "-untrusted", certificate, certificate]);
  expect(verified.stdout).toBe(`${certificate}: OK\n`);
  expect(await records()).toEqual(before);
  // It was there: lego wrote it, and took it away.
  const changes = (await deployment.ask("GET", `/zones/${zone.id}/changes`)).body;
  const added = changes.flatMap((change: { added: readonly RecordBody[] }) => change.added);
  expect(added.map(({ name }: RecordBody) => name)).toContain(`_acme-challenge.${zone.name}`);
}, 400_000);

test("no certificate, with a key that is narrowed to another zone", async () => {
  const other = await deployment.zone("other.example");
  const key = await deployment.newKey("--zones", String(other.id), "--acme-only");
  const before = await records();
  const { code, said } = await lego(key, [`*.${zone.name}`], "other");
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining("403") });
  expect(await records()).toEqual(before);
}, 400_000);
