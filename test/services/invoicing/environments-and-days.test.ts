// Test beside live, and days and hours at their edges: issue "Invoicing" §1, §3 and §6.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../../src/adapters/tax-authority/simulator/simulator.ts";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { readConfig } from "../../../src/main/config.ts";
import { SIMULATOR_FILE, simulatorFolder, taxRoute } from "../../../src/services/invoicing/tax-route.ts";
import { MEMORY } from "../../support/global-setup.ts";
import { expectError } from "../../support/rest-client.ts";
import { invoicingCaller } from "./invoicing-stage.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
let folder: string;
let testSimulator: Simulator;
let testAuthority: TaxAuthority;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
let trial: typeof live;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  [live, trial] = [await stage.ready(), await stage.ready(stage.organization.test)];
  folder = fs.mkdtempSync(path.join(MEMORY, "selo-simulator-"));
  testSimulator = await startSimulator({ folder, environment: "test" });
  testAuthority = new TaxAuthority({ baseUrl: testSimulator.url, ca: testSimulator.caPem });
});
afterAll(async () => {
  await testAuthority?.close();
  await testSimulator?.stop();
  await stage?.close();
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
});

/** Attempts what is due, each by the route of its environment; answers the environments. */
async function work(): Promise<readonly string[]> {
  const leases = await stage.claim();
  for (const lease of leases)
    await stage.run(
      lease,
      lease.environment === "test"
        ? { routeOf: async () => ({ authority: testAuthority, trusted: [testSimulator.signerPem] }) }
        : {},
    );
  return leases.map(({ environment }) => environment).sort();
}

test("test is transmitted to its own tax authority as tpAmb 2, with its own numbers; live knows nothing of it", async () => {
  const [first, second, real] = [await trial.emit(), await trial.emit(), await live.emit()];
  expect(await work()).toEqual(["live", "test", "test"]);
  const texts = [];
  for (const [caller, { id }] of [
    [trial, first],
    [trial, second],
    [live, real],
  ] as const) {
    expect(await caller.read(id)).toMatchObject({ status: "authorized" });
    texts.push((await caller.ask("GET", `/invoices/${id}/files/xml/raw`)).text);
  }
  const numbers = [await trial.read(first.id), await trial.read(second.id), await live.read(real.id)];
  expect(numbers.map(({ number }) => number)).toEqual([1, 2, 1]);
  expect(texts.map((text) => /<infDPS .*?<tpAmb>(\d)<\/tpAmb>/s.exec(text)?.[1])).toEqual(["2", "2", "1"]);
  expect(Object.values(testSimulator.nfseCounts())).toEqual([1, 1]);
  expect(Object.values(stage.simulator.nfseCounts())).toEqual([1]);
  for (const [caller, { id }] of [
    [live, first],
    [trial, real],
  ] as const)
    for (const [method, ending, body] of [
      ["GET", "", undefined],
      ["GET", "/files/xml/raw", undefined],
      ["POST", "/emit", undefined],
      ["POST", "/cancel", { reason_code: "2", reason: "O serviço não foi prestado." }],
    ] as const)
      expectError(await caller.ask(method, `/invoices/${id}${ending}`, body), 404, "not_found");
});

test("an NFS-e of test does not count for live", async () => {
  const { id } = await live.emit();
  // Somebody has mixed up the addresses.
  const [lease] = await stage.claim();
  const route = { authority: testAuthority, trusted: [testSimulator.signerPem] };
  if (lease) await stage.run(lease, { routeOf: async () => route });
  expect(await live.read(id)).toMatchObject({ status: "rejected", last_error_code: "E0006", access_key: null });
});

test("simulator is what simulator.json of the environment says, and its authority alone is believed", async () => {
  const { url, caPem, signerPem } = testSimulator;
  const written = (name: string, content: string) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    return file;
  };
  const file = path.relative(folder, path.join(simulatorFolder(folder, "test"), SIMULATOR_FILE));
  written(file, JSON.stringify({ url, ca: caPem, signer: signerPem }));
  const files = { NFSE_TRUSTED_CERTIFICATES: written("signer.pem", signerPem), NFSE_CA_FILE: written("ca.pem", caPem) };
  const { NFSE_TRUSTED_CERTIFICATES } = files;
  for (const [settings, kind] of [
    [{ NFSE_URL_TEST: "simulator" }, "absent"],
    [{ NFSE_URL_TEST: url, ...files }, "absent"],
    // The system knows no such authority.
    [{ NFSE_URL_TEST: url, NFSE_TRUSTED_CERTIFICATES }, "doubt"],
  ] as const) {
    const config = readConfig({ PUBLIC_URL: "https://selo.example", SELO_DATA_DIR: folder, ...settings });
    const route = await taxRoute(config, "test");
    expect(route?.trusted.map((pem) => pem.trim())).toEqual([signerPem.trim()]);
    expect(await route?.authority.findDps(trial.identity, `DPS${"1".repeat(42)}`)).toMatchObject({ kind });
    await route?.authority.close();
  }
});

/** Lets the functions that look at the clock see another instant, in the database of this file. */
async function atInstant(instant: string | null): Promise<void> {
  const { admin } = stage.selo.database;
  for (const name of ["today", "dps_facts"]) {
    const { rows } = await admin.query<{ text: string }>(
      "select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'invoicing'::regnamespace and proname = $1",
      [name],
    );
    const shown = /'[^']*'::timestamptz|\bnow\(\)/g;
    const text = rows[0]?.text ?? "";
    expect(text.match(shown)).toHaveLength(1);
    await admin.query(text.replace(shown, instant === null ? "now()" : `'${instant}'::timestamptz`));
  }
}

describe("the competence date is today in the time zone of the organization, and not later", () => {
  test.each([
    // UTC +14, whose day begins at +12 for the layout, −11, and −3.
    ["Pacific/Kiritimati", "2026-03-31T11:59:59Z", "2026-03-31"],
    ["Pacific/Kiritimati", "2026-03-31T12:00:00Z", "2026-04-01"],
    ["Pacific/Pago_Pago", "2026-03-01T10:59:59Z", "2026-02-28"],
    ["Pacific/Pago_Pago", "2026-03-01T11:00:00Z", "2026-03-01"],
    ["America/Sao_Paulo", "2026-01-01T02:59:59Z", "2025-12-31"],
    ["America/Sao_Paulo", "2026-01-01T03:00:01Z", "2026-01-01"],
  ])("%s at %s: %s", async (timeZone, instant, today) => {
    const { live } = await stage.selo.newOrganization({ timeZone });
    const { addCatalog, addDraft, ask } = invoicingCaller(stage.selo, live);
    const { invoice } = await addCatalog();
    const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
    await atInstant(instant);
    const draft = await addDraft(invoice);
    expect(draft).toMatchObject({ competence_date: today });
    expect(await addDraft({ ...invoice, competence_date: today })).toMatchObject({ competence_date: today });
    const late = { competence_date: tomorrow };
    for (const answer of [
      await ask("POST", "/invoices", { ...invoice, ...late, emit: false }),
      await ask("POST", "/invoices/preview", { ...invoice, ...late }),
      await ask("PATCH", `/invoices/${draft.id}`, late),
    ])
      if (answer.status === 200)
        expect(answer.body.problems).toContainEqual(
          expect.objectContaining({ code: "competence_in_future", field: "competence_date", severity: "error" }),
        );
      else expectError(answer, 422, "competence_in_future", ["competence_date"]);
    await atInstant(null);
  });
});

test("dhEmi has whole seconds and an offset of whole hours, never of a day before that of the organization", async () => {
  const { admin } = stage.selo.database;
  const at = async (instant: string, zone: string) =>
    (await admin.query<{ text: string }>("select invoicing.issued_at($1, $2) as text", [instant, zone])).rows[0]?.text;
  for (const [instant, zone, text] of [
    ["2026-03-01T02:59:59.999999Z", "America/Sao_Paulo", "2026-02-28T23:59:59-03:00"],
    ["2026-03-01T03:00:00.000001Z", "America/Sao_Paulo", "2026-03-01T00:00:00-03:00"],
    ["2026-03-01T10:59:59Z", "Pacific/Pago_Pago", "2026-02-28T23:59:59-11:00"],
    ["2026-07-01T12:00:00.5Z", "Europe/London", "2026-07-01T13:00:00+01:00"],
    ["2026-01-01T12:00:00.5Z", "UTC", "2026-01-01T12:00:00+00:00"],
    // Half an hour, three quarters of one, and beyond what the layout knows: the next offset that it takes.
    ["2026-03-01T18:29:59Z", "Asia/Kolkata", "2026-03-02T00:29:59+06:00"],
    ["2026-03-01T18:30:00Z", "Asia/Kolkata", "2026-03-02T00:30:00+06:00"],
    ["2026-03-01T12:00:00Z", "Asia/Kathmandu", "2026-03-01T18:00:00+06:00"],
    ["2026-03-01T03:30:00Z", "America/St_Johns", "2026-03-01T00:30:00-03:00"],
    ["2026-03-01T12:00:00Z", "Pacific/Kiritimati", "2026-03-02T00:00:00+12:00"],
    ["2026-03-01T12:00:00Z", "Etc/GMT+12", "2026-03-01T01:00:00-11:00"],
  ] as const)
    expect([zone, await at(instant, zone)]).toEqual([zone, text]);
});

test("an organization beyond +11 cancels", async () => {
  const { live: token } = await stage.selo.newOrganization({ timeZone: "Pacific/Auckland" });
  const caller = await stage.ready(token, { issuer: { series: "9" } });
  const { id } = await caller.emit();
  await work();
  await caller.ask("POST", `/invoices/${id}/cancel`, { reason_code: "2", reason: "O serviço não foi prestado." });
  await work();
  expect(await caller.read(id)).toMatchObject({ status: "canceled" });
});

test("an organization in a zone of half hours issues, and its DPS is of the instant at which it was signed", async () => {
  const { live: token } = await stage.selo.newOrganization({ timeZone: "Asia/Kolkata" });
  // Others have used the numbers of series 1.
  const caller = await stage.ready(token, { issuer: { series: "8" } });
  const { id } = await caller.emit();
  const before = Math.floor(Date.now() / 1_000) * 1_000;
  await work();
  expect(await caller.read(id)).toMatchObject({ status: "authorized" });
  const { text } = await caller.ask("GET", `/invoices/${id}/files/dps/raw`);
  const [, issuedAt = ""] = /<dhEmi>([^<]*)</.exec(text) ?? [];
  expect(issuedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+06:00$/);
  expect(Date.parse(issuedAt) >= before && Date.parse(issuedAt) <= Date.now()).toBe(true);
});
