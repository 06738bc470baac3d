// Clients that @hey-api/openapi-ts and openapi-fetch make of schema/openapi-dns.json, as they come.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { installedClients } from "./packages.ts";

const run = promisify(execFile);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dns-clients-"));
let selo: TestGateway;

beforeAll(async () => {
  const clients = await installedClients();
  fs.cpSync(path.join(clients, "dns"), folder, { recursive: true });
  for (const name of ["generate.ts", "write-smallest.ts"])
    fs.copyFileSync(path.join(clients, "rest", name), path.join(folder, name));
  fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
  fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
  const document = path.resolve(import.meta.dirname, "../../../schema/openapi-dns.json");
  await node("generate.ts", document, ".");
  await node("write-smallest.ts", document, ".", "hey-api", "openapi-fetch");
  selo = await startTestGateway({ NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test" });
}, 400_000);
afterAll(async () => {
  await selo?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: folder, timeout: 120_000 })).stdout;
  } catch (error) {
    // What tsc complains about it writes to its output.
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

test("what each of them writes compiles in strict mode, with its program and the smallest body of every operation, and refuses what is wrong", async () => {
  await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json");
}, 120_000);

test.each(["hey-api", "openapi-fetch"])(
  "%s makes, changes, imports, exports and deletes, and reads each error as its types have it",
  async (name) => {
    const organization = await selo.newOrganization();
    const { secret } = await issueKey(selo.operator, organization.id, name);
    const zone = `${name}.test`;
    const task = { baseUrl: `${selo.baseUrl}/v1`, token: secret, orgId: organization.number, zone };
    const report = JSON.parse(await node(`built/${name}.js`, JSON.stringify(task)));
    const refusal = (status: number, code: string, fields: readonly string[] | null = null) => ({
      status,
      code,
      detail: expect.stringMatching(/./),
      fields,
    });
    expect(report).toEqual({
      me: { orgId: organization.number, records: 500 },
      zone: { nameservers: 2, status: "pending" },
      record: `www.${zone}`,
      isDisabled: true,
      replaced: expect.objectContaining({ created: 1, deleted: 1, dry_run: false }),
      imported: { imported: 1, reasons: ["validation"] },
      names: [`a.${zone}`, `www.${zone}`],
      exported: ["a 300 IN A 192.0.2.2", "www 300 IN CNAME host.example.net."],
      changes: 4,
      refusals: [
        refusal(409, "zone_exists"),
        refusal(403, "zone_not_allowed"),
        refusal(422, "invalid_request", ["name"]),
        refusal(422, "record_invalid", ["content"]),
        refusal(422, "record_conflict"),
        refusal(422, "import_invalid", ["bind_file"]),
        refusal(403, "forbidden"),
        refusal(401, "unauthenticated"),
        refusal(404, "not_found"),
      ],
      deleted: null,
      gone: { refusal: refusal(404, "not_found") },
    });
  },
);
