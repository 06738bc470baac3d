// From `npm start` to an invoice that is authorized and canceled, as the demo owner and as an integrator; then one whose answer is lost.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { urlsOf } from "../../../src/postgres/databases.ts";
import type { Demo } from "../../../src/services/platform/demo/demo-file.ts";
import { signatureHolds } from "../../adapters/tax-authority/oracles.ts";
import { sessionHeaders, trySignIn } from "../../services/accounts/accounts-stage.ts";
import { type Caller, invoicingCaller } from "../../services/invoicing/invoicing-stage.ts";
import { endPrograms, freePort, preparedDataFolder, selo } from "../../support/selo-process.ts";

const WORTHLESS = "SEM VALIDADE JURÍDICA";
const ENDED = { timeout: 60_000, interval: 50 };

const folder = preparedDataFolder();
let base: { readonly baseUrl: string };
let demo: Demo;
/** Addresses of the simulators' control ports, of live and test. */
let controls: readonly string[];
beforeAll(async () => {
  const port = await freePort();
  base = { baseUrl: `http://localhost:${port}` };
  const started = selo(["start"], { SELO_DATA_DIR: folder.path, PORT: String(port), SHUTDOWN_GRACE_SECONDS: "1" });
  const said = await started.until("Ctrl-C stops everything.");
  controls = said.match(/http:\/\/127\.0\.0\.1:\d+(?= \((live|test)\))/g) ?? [];
  demo = JSON.parse(kept("demo.json"));
  await retrySoon();
}, 120_000);
afterAll(async () => {
  await endPrograms();
  folder.remove();
});

const kept = (...names: string[]) => fs.readFileSync(path.join(folder.path, ...names), "utf8").trim();

/** The next attempt waits for half a minute: here for a second. */
async function retrySoon(): Promise<void> {
  const { adminUrl } = urlsOf({ host: "127.0.0.1", port: Number(kept("port")) }, kept("postgres-password"));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(
    "create or replace function invoicing.retry_delay(p_attempts integer) returns interval language sql immutable set search_path = '' as $$ select interval '1 second' $$",
  );
  await client.end();
}

/** What a simulator says, or is told. */
async function control(address: string, path: string, body?: object): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`${address}${path}`, body ? { method: "POST", body: JSON.stringify(body) } : {});
  expect(answer.status).toBeLessThan(300);
  return body ? {} : ((await answer.json()) as Record<string, number>);
}

async function journey(caller: Caller, environment: "live" | "test", simulator: string): Promise<void> {
  const { addCustomer, addService, ask } = invoicingCaller(base, caller);
  const [customer, service] = [await addCustomer(), await addService()];
  const members = { customer_id: customer.id, service_id: service.id, amount_services: "1500.00" };
  const preview = await ask("POST", "/invoices/preview", members);
  expect(preview).toMatchObject({ status: 200, body: { net_amount: "1500.00" } });
  const emit = async () => {
    const answer = await ask("POST", "/invoices", members);
    expect(answer).toMatchObject({ status: 201, body: { status: "queued" } });
    return answer.body.id as string;
  };
  const read = async (id: string) => (await ask("GET", `/invoices/${id}`)).body;
  const ends = (id: string, status: string) => expect.poll(async () => (await read(id)).status, ENDED).toBe(status);
  const file = (id: string, kind: string) => ask("GET", `/invoices/${id}/files/${kind}/raw`);

  const first = await emit();
  await ends(first, "authorized");
  const { access_key } = await read(first);
  // The certificate of the issuer is made by the first simulator.
  for (const [kind, element, authority] of [
    ["xml", "infNFSe", environment],
    ["dps", "infDPS", "live"],
  ] as const) {
    const { ca } = JSON.parse(kept("nfse-simulator", authority, "simulator.json"));
    const { text } = await file(first, kind);
    expect(signatureHolds(text, element, ca)).toBe(true);
    expect(signatureHolds(text.replace("1500.00", "1500.01"), element, ca)).toBe(false);
  }
  const danfse = async () => {
    const { bytes } = await file(first, "pdf");
    return spawnSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" }).stdout;
  };
  const shown = await danfse();
  expect(shown.replaceAll(/\s/g, "")).toContain(access_key);
  expect(shown).toContain(WORTHLESS); // in live as well: a simulator has issued it
  const asked = await ask("POST", `/invoices/${first}/cancel`, { reason_code: "1", reason: "Erro na emissão da nota" });
  expect(asked).toMatchObject({ status: 202, body: { status: "canceling" } });
  await ends(first, "canceled");
  expect(await danfse()).toContain("CANCELADA");

  // It is stored there, and the answer is lost; so is that of the first question for it.
  await control(simulator, "/scenario", { next: [{ kind: "drop_after" }, { kind: "drop_before", on: "read" }] });
  const second = await emit();
  await ends(second, "authorized");
  const { events, chain } = await read(second);
  const types = events.map(({ action }: { readonly action: string }) => action);
  const [queued, numbered, failed, tried] = ["queued", "numbered", "failed", "tried"].map((word) => `invoice.${word}`);
  expect(types).toEqual([queued, numbered, failed, tried, "invoice.authorized"]);
  expect(chain).toMatchObject({ valid: true });
  expect(Object.values(await control(simulator, "/nfse"))).toEqual([1, 1]);
}

test("the demo owner signs in and issues in live, an integrator in test: previewed, authorized, canceled; of an answer that is lost one NFS-e comes", async () => {
  const [live = "", ofTest = ""] = controls;
  const signedIn = await trySignIn(base, String(demo["user_email"]), String(demo["user_password"]));
  expect(signedIn.status).toBe(200);
  await Promise.all([journey(sessionHeaders(signedIn), "live", live), journey(demo.tokens.test, "test", ofTest)]);
}, 240_000);
