// A signed zone as a whole, in NSEC mode, judged by ldns-verify-zone: issue "DNS hosting II" §8. Narrow NSEC3, which zones have, cannot be transferred.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import { nameserverProgram, writeProgramFile } from "../../support/nameserver-stage.ts";
import { call } from "../../support/rest-client.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { addRecords } from "./probes.ts";
import { dig } from "./signed-tree.ts";

const run = promisify(execFile);
const NAME = "transferred.example";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-transfer-"));
let deployment: DnsDeployment;
let zone: ZoneBody;
beforeAll(async () => {
  // As root: the nameserver's user passes through.
  fs.chmodSync(folder, 0o711);
  const program = writeProgramFile(await nameserverProgram(), folder);
  const given = fs.readFileSync(program, "utf8");
  // The service itself transfers nothing to anybody.
  fs.writeFileSync(program, given.replace('"$@"', '"$@" --disable-axfr=no --allow-axfr-ips=127.0.0.1'));
  deployment = await DnsDeployment.open({ environment: { PDNS_SERVER: program } });
  zone = await deployment.zone(NAME);
  await addRecords(deployment, zone);
  const one = (name: string, type: string, content: string) => ({ name, type, ttl: 60, records: [{ content }] });
  await deployment.change("PUT", `/zones/${zone.id}/records`, {
    sets: [
      one("ns.plain.only", "A", "192.0.2.53"),
      one("*", "TXT", "wild"),
      one("_sip._tcp", "TXT", "two labels"),
      one("upper", "CAA", '0 issue "ca.example.net"'),
    ],
  });
}, 400_000);
afterAll(async () => {
  await deployment?.close();
  fs.rmSync(folder, { recursive: true, force: true });
}, 400_000);

const dnssec = (method: string, more = "") => deployment.change(method, `/zones/${zone.id}/dnssec${more}`);
/** The zone as it is transferred: a zone file. */
const transferred = async () => {
  const lines = await dig(deployment.nameserver, NAME, "AXFR", "+tcp", "+noshort", "+noall", "+answer", "+onesoa");
  return lines.filter((line) => !line.startsWith(";"));
};
/** What ldns-verify-zone says of a zone file. */
async function verify(lines: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const file = path.join(folder, "zone");
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await run("ldns-verify-zone", ["-V", "3", file]).then(
    (ran) => ({ code: 0, ...ran }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code, said: `${stdout}${stderr}` };
}
/** Has the zone denied by NSEC, whose records a transfer can carry. */
const denyByNsec = () =>
  deployment.database(
    "delete from pdns.domainmetadata where domain_id = $1 and kind in ('NSEC3PARAM', 'NSEC3NARROW')",
    [zone.id],
  );
const COMPLETE = { code: 0, said: expect.stringContaining("verified and complete") };
const typeOf = (line: string) => line.split(/\s+/)[3];
const isSignature = (line: string) => /^www\.\S+\s+\d+\s+IN\s+RRSIG\s+A /.test(line);
/** Another letter in the middle of a signature. */
const altered = (line: string) => {
  const place = line.length - 20;
  return line.slice(0, place) + (line[place] === "A" ? "B" : "A") + line.slice(place + 1);
};

const FORMS = `$TTL 300
@ SOA ns1.example.net. host.example.net. 1 2 3 4 300
@ NS ns1.example.net.
\\042 A 192.0.2.1
\\095a.b\\045c CNAME h\\111st.example.net.
txt TXT "a\\;b" \\"c ; a comment
txt TYPE16 \\# 6 0161025cff00
caa CAA 0 issue "ca.test\\; a=\\"b\\\\"
caa CAA 0 issue "\\000\\195\\163"
caa TYPE257 \\# 9 00056973737565413b
_http._tcp TYPE12 \\# 24 0a5f7072696e7465722d31 045f697070 045f746370 017800
mx MX \\# 10 000a046d61696c017800
a6 AAAA \\# 16 20010db8000000000000000000000001
`;

test.each(["forms.example", "_msdcs.forms.example", "0/25.9.0.192.in-addr.arpa"])(
  "names and contents in every form of a zone file are served as BIND reads them: %s",
  async (name) => {
    const { id } = await deployment.zone(name);
    const { body } = await deployment.change("POST", `/zones/${id}/import`, { bind_file: FORMS });
    expect(body).toMatchObject({ imported: 10, skipped: 2, warnings: [] });
    fs.writeFileSync(path.join(folder, "forms"), FORMS);
    const options = ["-k", "ignore", "-i", "none", "-m", "ignore", "-n", "ignore", "-f", "text", "-s", "full"];
    const { stdout } = await run("named-compilezone", ["-q", ...options, "-o", "-", name, path.join(folder, "forms")]);
    const comparable = (lines: readonly string[]) =>
      lines
        .map((line) => line.replaceAll(/\s+/g, " "))
        .filter((line) => line !== "" && !/ IN (SOA|NS) /.test(line))
        .toSorted();
    const lines = await dig(deployment.nameserver, name, "AXFR", "+tcp", "+noshort", "+noall", "+answer", "+onesoa");
    expect(comparable(lines.filter((line) => !line.startsWith(";")))).toEqual(comparable(stdout.split("\n")));
  },
  400_000,
);

test("a quoted string of more than 255 bytes is served in strings of 255, whichever way it came in", async () => {
  const key = `v=DKIM1; k=rsa; p=${"A".repeat(600)}`;
  const { id } = await deployment.zone("long.example");
  await deployment.change("POST", `/zones/${id}/import`, { bind_file: `file TXT "${key}"` });
  await deployment.change("POST", `/zones/${id}/records`, { name: "rest", type: "TXT", content: `"${key}"` });
  const rrset = {
    name: "power.long.example.",
    type: "TXT",
    ttl: 300,
    changetype: "REPLACE",
    records: [{ content: `"${key}"` }],
  };
  const { status } = await call(deployment, "PATCH", "/api/v1/servers/localhost/zones/long.example.", {
    prefix: "",
    body: { rrsets: [rrset] },
    headers: { "x-api-key": deployment.key },
  });
  expect(status).toBe(204);
  for (const name of ["file", "rest", "power"])
    expect(await dig(deployment.nameserver, `${name}.long.example`, "TXT")).toEqual([
      `"${key.slice(0, 255)}" "${key.slice(255, 510)}" "${key.slice(510)}"`,
    ]);
}, 400_000);

test("a zone of one key: every record is signed, and the chain of NSEC is whole", async () => {
  await dnssec("POST");
  await denyByNsec();
  // A change flushes what the nameserver knows of the zone.
  await deployment.record(zone, { name: "last", type: "A", content: "192.0.2.7" });
  const lines = await transferred();
  for (const type of ["DNSKEY", "CDS", "CDNSKEY", "NSEC", "RRSIG", "CAA", "MX", "CNAME", "NS"])
    expect(
      lines.some((line) => typeOf(line) === type),
      type,
    ).toBe(true);
  expect(await verify(lines)).toMatchObject(COMPLETE);
}, 400_000);

test("ldns-verify-zone finds an altered signature, a missing one, an altered record and a hole in the chain of NSEC", async () => {
  const lines = await transferred();
  const ofWww = (line: string) => line.startsWith("www.") && !line.startsWith("www.plain");
  const isDenial = (line: string) => ofWww(line) && / (NSEC|RRSIG NSEC) /.test(line.replace(/\s+/g, " "));
  expect(lines.filter(isSignature)).toHaveLength(1);
  expect(lines.filter(isDenial)).toHaveLength(2);
  for (const wrong of [
    lines.map((line) => (isSignature(line) ? altered(line) : line)),
    lines.filter((line) => !isSignature(line)),
    lines.map((line) => (ofWww(line) && typeOf(line) === "A" ? line.replace(/192\.0\.2\.1$/, "192.0.2.99") : line)),
    lines.filter((line) => !isDenial(line)),
  ]) {
    expect(wrong).not.toEqual(lines);
    expect((await verify(wrong)).code).not.toBe(0);
  }
}, 400_000);

test("a zone of two keys, in a rotation: both sign, and either alone is enough", async () => {
  await dnssec("POST", "/rotate");
  await denyByNsec();
  const lines = await transferred();
  expect(lines.filter((line) => typeOf(line) === "DNSKEY")).toHaveLength(2);
  const signatures = lines.filter(isSignature);
  expect(signatures).toHaveLength(2);
  expect(await verify(lines)).toMatchObject(COMPLETE);
  for (const each of signatures)
    expect(await verify(lines.map((line) => (line === each ? altered(line) : line)))).toMatchObject({ code: 0 });
  expect((await verify(lines.map((line) => (isSignature(line) ? altered(line) : line)))).code).not.toBe(0);
}, 400_000);
