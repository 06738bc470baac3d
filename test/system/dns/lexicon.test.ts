// An unmodified lexicon changes records by way of the API of PowerDNS: issue "DNS hosting II" §5.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import { DnsDeployment } from "./dns-deployment.ts";

const run = promisify(execFile);

const home = fs.mkdtempSync(path.join(os.tmpdir(), "selo-lexicon-"));
let deployment: DnsDeployment;
let zone: ZoneBody;
let key: string;
beforeAll(async () => {
  deployment = await DnsDeployment.open();
  // lexicon takes the part of a name below a public suffix for the domain.
  zone = await deployment.zone("selo-lexicon.com");
  key = await deployment.newKey("--zones", String(zone.id));
}, 400_000);
afterAll(async () => {
  await deployment?.close();
  fs.rmSync(home, { recursive: true, force: true });
});

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly ttl: number;
  readonly content: string;
}

/** One command of lexicon; answers what it printed. */
async function lexicon(action: string, type: string, ...words: readonly string[]): Promise<string> {
  const access = ["--auth-token", key, "--pdns-server", deployment.baseUrl];
  const all = ["powerdns", ...access, action, zone.name, type, ...words];
  // Its list of public suffixes is the one that it brings.
  const environment = { ...process.env, HOME: home, TLDEXTRACT_CACHE: home, no_proxy: "127.0.0.1" };
  return (await run("lexicon", all, { env: environment })).stdout;
}

const list = async (type: string, ...words: readonly string[]): Promise<readonly Listed[]> =>
  JSON.parse(await lexicon("list", type, ...words, "--output", "JSON"));

test("creates, lists, updates and deletes a text", async () => {
  await lexicon("create", "TXT", "--name", "note", "--content", "first text");
  expect(await deployment.dig(`note.${zone.name}`, "TXT")).toEqual(['"first text"']);
  await lexicon("create", "TXT", "--name", "note", "--content", "second text");
  expect(await deployment.dig(`note.${zone.name}`, "TXT")).toEqual(['"first text"', '"second text"']);

  const listed = await list("TXT", "--name", "note");
  expect(listed.map(({ name, type, content }) => ({ name, type, content }))).toEqual([
    { name: `note.${zone.name}`, type: "TXT", content: "first text" },
    { name: `note.${zone.name}`, type: "TXT", content: "second text" },
  ]);

  const { id } = listed[0] as Listed;
  await lexicon("update", "TXT", "--identifier", id, "--name", "note", "--content", "third text");
  expect(await deployment.dig(`note.${zone.name}`, "TXT")).toEqual(['"second text"', '"third text"']);

  await lexicon("delete", "TXT", "--name", "note", "--content", "second text");
  expect(await deployment.dig(`note.${zone.name}`, "TXT")).toEqual(['"third text"']);
  await lexicon("delete", "TXT", "--name", "note");
  expect(await deployment.dig(`note.${zone.name}`, "TXT")).toBe("NXDOMAIN");
  expect(await list("TXT")).toEqual([]);
}, 400_000);

test("creates and deletes records of types A, CNAME, MX and SRV", async () => {
  const records = [
    ["A", "host", "192.0.2.1"],
    // It takes the domain for the end of every name that it shows.
    ["CNAME", "alias", "host.selo-lexicon.com"],
    ["MX", "mailed", "10 mail.example.net."],
    ["SRV", "_sip._tcp", "10 5 5060 sip.example.net."],
  ] as const;
  await Promise.all(
    records.map(async ([type, name, content]) => {
      await lexicon("create", type, "--name", name, "--content", content);
      expect(await list(type, "--name", name)).toMatchObject([{ name: `${name}.${zone.name}`, type, content }]);
      expect(await deployment.dig(`${name}.${zone.name}`, type)).toEqual([content.replace(/\.com$/, ".com.")]);
      await lexicon("delete", type, "--name", name);
      expect(await deployment.dig(`${name}.${zone.name}`, type)).toBe("NXDOMAIN");
    }),
  );
}, 400_000);

test("another zone of the organization is refused to its key", async () => {
  const other = await deployment.zone("selo-other.com");
  const words = ["--auth-token", key, "--pdns-server", deployment.baseUrl, "list", other.name, "TXT"];
  await expect(run("lexicon", ["powerdns", ...words], { env: { ...process.env, HOME: home } })).rejects.toMatchObject({
    stderr: expect.stringContaining("403"),
  });
}, 400_000);
