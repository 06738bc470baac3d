// Each answer of the tax authority: the status that it leads to, the time of the next attempt, and the webhooks (message-webhooks part B §3).
import { gunzipSync } from "node:zlib";
import { Ajv2020 as Validator } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { actionsOf } from "./invoicing-stage.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  live = await stage.ready();
});
afterAll(() => stage?.close());

const REASON = { reason_code: "2", reason: "O serviço não foi prestado." };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

async function now(): Promise<number> {
  const { rows } = await stage.selo.database.admin.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now.getTime() ?? 0;
}

/** One attempt, and how long at least and at most the next one waits, however slow this machine is. */
async function waitAfter(id: string): Promise<{ least: number; most: number }> {
  const before = await now();
  expect(await stage.work()).toBe(1);
  const after = await now();
  const { due_at } = await stage.transmission(id);
  expect(due_at).not.toBeNull();
  const due = due_at?.getTime() ?? 0;
  expect(Date.parse((await live.read(id)).next_attempt_at)).toBe(due);
  return { least: due - after, most: due - before };
}

const age = (id: string, interval: string) =>
  stage.selo.database.admin.query(
    "update invoicing.transmissions set first_failed_at = now() - $2::interval where invoice_id = $1",
    [id, interval],
  );
const typesOf = async (id: string) => (await stage.eventsOf(id)).map(({ type }) => type);

describe("without a usable answer", () => {
  test("attempts follow after 30 s, 1, 5, 15 min, 1, 3, 6 h, then each 12 h, with up to 10 % more, for 5 days; emit is now", async () => {
    const { id } = await live.emit();
    const schedule = [30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR];
    const waits: { least: number; most: number }[] = [];
    for (const [attempt, wait] of schedule.entries()) {
      stage.next({ kind: "drop_before", on: "any" });
      const { least, most } = await waitAfter(id);
      // `most` counts the attempt itself too, and `least` does not.
      expect({ attempt, isLate: most >= wait, isEarly: least <= wait * 1.1 }).toEqual({
        attempt,
        isLate: true,
        isEarly: true,
      });
      waits.push({ least: least / wait, most });
      expect(await live.read(id)).toMatchObject({ status: "failed", last_error_code: "transport" });
      expect(await stage.transmission(id)).toMatchObject({ attempts: attempt + 1 });
      await stage.comeDue();
    }
    // Not all invoices of an hour without an answer come back in the same second.
    expect(waits.slice(5).some(({ least }) => least > 1.0005)).toBe(true);

    await age(id, "4 days 23 hours 59 minutes");
    stage.next({ kind: "drop_before", on: "any" });
    await waitAfter(id);
    await stage.comeDue();
    await age(id, "5 days");
    stage.next({ kind: "drop_before", on: "any" });
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(await stage.transmission(id)).toMatchObject({ due_at: null, lease_id: null });
    await stage.comeDue();
    expect(await stage.work()).toBe(0);

    const before = await now();
    const { body } = await live.ask("POST", `/invoices/${id}/emit`);
    expect(body).toMatchObject({ status: "queued", last_error_code: null });
    const due = Date.parse(body.next_attempt_at);
    expect(before <= due && due <= (await now())).toBe(true);
    expect(await stage.transmission(id)).toMatchObject({ attempts: 0, first_failed_at: null, due_at: new Date(due) });
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await typesOf(id)).toEqual(["invoice.failed", "invoice.authorized"]);
  });

  test("an automatic attempt leaves failed until its answer; webhooks hear of it once, and again after the next emit", async () => {
    const { id } = await live.emit({ external_ref: "order-9" });
    for (const _ of [1, 2]) {
      stage.next({ kind: "drop_before", on: "any" });
      await stage.work();
      await stage.comeDue();
    }
    expect(await typesOf(id)).toEqual(["invoice.failed"]);
    const [lease] = await stage.claim();
    expect(await live.read(id)).toMatchObject({ status: "failed", last_error_code: "transport" });
    if (lease) await stage.run(lease);
    expect(await live.read(id)).toMatchObject({ status: "authorized" });

    const again = await live.emit();
    for (const _ of [1, 2]) {
      stage.next({ kind: "drop_before", on: "any" });
      await stage.work();
      await stage.comeDue();
      stage.next({ kind: "drop_before", on: "any" });
      await stage.work();
      await live.ask("POST", `/invoices/${again.id}/emit`);
    }
    await stage.work();
    expect(await typesOf(again.id)).toEqual(["invoice.failed", "invoice.failed", "invoice.authorized"]);
    expect(await actionsOf(stage.selo, again.id)).toEqual([
      "invoice.queued",
      "invoice.numbered",
      ...["invoice.failed", "invoice.tried", "invoice.emitted"],
      ...["invoice.failed", "invoice.tried", "invoice.emitted"],
      "invoice.authorized",
    ]);
  });
});

describe("an answer that decides nothing", () => {
  test.each([
    ["a small answer that inflates to 64 MiB", { kind: "gzip_bomb" }, "http_201", [30 * SECOND, 33 * SECOND], 1],
    // On a slow machine nothing may be stored before the time is over.
    ["an answer byte by byte", { kind: "slow_drip", ms: 2_000 }, "transport", [30 * SECOND, 33 * SECOND], null],
    ["400 without errors", { kind: "status", status: 400 }, "http_400", [30 * SECOND, 33 * SECOND], 0],
    ["404 without errors", { kind: "status", status: 404 }, "http_404", [30 * SECOND, 33 * SECOND], 0],
    [
      "429 with Retry-After",
      { kind: "status", status: 429, retry_after: "3600" },
      "http_429",
      [3600 * SECOND, 3600 * SECOND],
      0,
    ],
    [
      "503 that names a year",
      { kind: "status", status: 503, retry_after: "31536000" },
      "http_503",
      [24 * HOUR, 24 * HOUR],
      0,
    ],
    [
      "429 with a shorter Retry-After than our own",
      { kind: "status", status: 429, retry_after: "5" },
      "http_429",
      [30 * SECOND, 33 * SECOND],
      0,
    ],
    [
      "429 with errors",
      { kind: "reject", status: 429, errors: [{ code: "E9998" }] },
      "http_429",
      [30 * SECOND, 33 * SECOND],
      0,
    ],
  ] as const)("%s: failed, and the next attempt asks first", async (_, step, code, [least, most], stored) => {
    const { id } = await live.emit();
    const authority = new TaxAuthority({ baseUrl: stage.simulator.url, ca: stage.simulator.caPem, requestMs: 600 });
    stage.next(step);
    const before = await now();
    const [lease] = await stage.claim();
    // Others wait for their answer as long as usual.
    const isSlow = step.kind === "slow_drip";
    if (lease)
      await stage.run(
        lease,
        isSlow ? { routeOf: async () => ({ authority, trusted: [stage.simulator.signerPem] }) } : {},
      );
    await authority.close();
    const { due_at, is_in_doubt } = await stage.transmission(id);
    expect(await live.read(id)).toMatchObject({ status: "failed", last_error_code: code });
    expect(is_in_doubt).toBe(true);
    const due = due_at?.getTime() ?? 0;
    expect({ isLate: due >= before + least, isEarly: due <= (await now()) + most }).toEqual({
      isLate: true,
      isEarly: true,
    });
    if (stored !== null) expect(await stage.nfseOf(id)).toBe(stored);
    const seen = stage.simulator.requests().length;
    await stage.comeDue();
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await stage.nfseOf(id)).toBe(1);
    const asked = stage.simulator.requests().slice(seen);
    if (stored !== null) expect(asked.map(({ method }) => method)).toEqual(["GET", stored === 1 ? "GET" : "POST"]);
  });
});

test("403 with errors is a rejection, as each 4xx that names its reasons", async () => {
  for (const [status, code] of [
    [403, "E0204"],
    [422, "E0310"],
  ] as const) {
    const { id } = await live.emit();
    stage.next({ kind: "reject", status, errors: [{ code, message: "Recusado", complement: "Maria" }] });
    await stage.work();
    expect(await live.read(id)).toMatchObject({
      status: "rejected",
      last_error_code: code,
      last_error_message: `${code}: Recusado Maria`,
      next_attempt_at: null,
    });
    expect(await stage.transmission(id)).toMatchObject({ due_at: null, is_in_doubt: false });
  }
});

test("E0014, and then 404 to the question: the two decide nothing, and the NFS-e that exists is found later", async () => {
  const { id } = await live.emit();
  stage.next({ kind: "drop_after" });
  await stage.work();
  stage.next(
    { kind: "status", status: 404, on: "read" },
    { kind: "pass" },
    { kind: "status", status: 404, on: "read" },
  );
  await stage.comeDue();
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "failed", next_attempt_at: expect.any(String) });
  expect(await stage.transmission(id)).toMatchObject({ is_in_doubt: true });
  await stage.comeDue();
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "authorized" });
  expect(await stage.nfseOf(id)).toBe(1);
});

test("an NFS-e with our signature around another DPS is nobody's: the number stays, and nothing is sent anew", async () => {
  const { id } = await live.emit();
  stage.next({ kind: "altered_dps" });
  await stage.work();
  const { number } = await live.read(id);
  // The same to the question, as of an authority that writes a DPS anew.
  const { nfseXmlGZipB64 } = JSON.parse(
    gunzipSync((await stage.transmission(id)).answer ?? Buffer.of()).toString("utf8"),
  );
  const xml = gunzipSync(Buffer.from(nfseXmlGZipB64, "base64")).toString("utf8");
  const authority = new Proxy(stage.authority, {
    get: (asked, name: keyof TaxAuthority) =>
      name === "fetchNfse" ? async () => ({ kind: "accepted", xml, body: "{}" }) : asked[name].bind(asked),
  });
  await live.ask("POST", `/invoices/${id}/emit`);
  const [lease] = await stage.claim();
  if (lease) await stage.run(lease, { routeOf: async () => ({ authority, trusted: [stage.simulator.signerPem] }) });
  expect(await live.read(id)).toMatchObject({ status: "failed", last_error_code: "untrusted_answer", number });
  expect(await stage.work()).toBe(0);
  expect(await stage.nfseOf(id)).toBe(1);
});

test("a failed invoice of which nothing was sent can be changed; one in doubt cannot", async () => {
  const nothingSent = await live.emit();
  const [lease] = await stage.claim();
  const routeOf = () => Promise.reject(new Error("there is no route"));
  if (lease) await stage.run(lease, { routeOf });
  const change = (id: string) => live.ask("PATCH", `/invoices/${id}`, { amount_services: "1200.00" });
  expect(await live.read(nothingSent.id)).toMatchObject({
    status: "failed",
    last_error_code: "internal",
    number: null,
  });
  expect((await change(nothingSent.id)).body).toMatchObject({ status: "failed", amount_services: "1200.00" });
  const inDoubt = await live.emit();
  stage.next({ kind: "drop_before" });
  await stage.work();
  expectError(await change(inDoubt.id), 409, "invalid_status");
  await stage.comeDue();
  expect(await stage.work()).toBe(2);
  for (const { id } of [nothingSent, inDoubt]) expect(await live.read(id)).toMatchObject({ status: "authorized" });
  expect((await live.ask("GET", `/invoices/${nothingSent.id}/files/xml/raw`)).text).toContain("<vServ>1200.00</vServ>");
});

describe("an answer that does not count", () => {
  /** One attempt, with what it logs as alarms. */
  async function alarmsOf(): Promise<readonly unknown[]> {
    const lines: { alarm?: unknown; invoice_id?: unknown; level: number }[] = [];
    const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    for (const lease of await stage.claim()) await stage.run(lease, { log });
    return lines.map(({ alarm, invoice_id, level }) => ({ alarm, invoice_id, level }));
  }

  test.each([
    ["wrong_signer", "signer"],
    ["altered_dps", "altered_dps"],
  ])("%s: kept, an alarm sounds, and nothing is sent anew", async (kind, reason) => {
    const { id } = await live.emit();
    stage.next({ kind });
    expect(await alarmsOf()).toEqual([{ alarm: "invoice_answer_untrusted", invoice_id: id, level: 50 }]);
    expect(await live.read(id)).toMatchObject({
      status: "failed",
      last_error_code: "untrusted_answer",
      last_error_message: `the answer is not trusted: ${reason}`,
      next_attempt_at: null,
      access_key: null,
    });
    const { answer, due_at, is_in_doubt } = await stage.transmission(id);
    expect([due_at, is_in_doubt]).toEqual([null, true]);
    expect(JSON.parse(gunzipSync(answer ?? Buffer.alloc(0)).toString("utf8"))).toMatchObject({
      chaveAcesso: expect.stringMatching(/^\d{50}$/),
      nfseXmlGZipB64: expect.any(String),
    });
    const seen = stage.simulator.requests().length;
    await stage.comeDue();
    expect(await stage.work()).toBe(0);
    expect(stage.simulator.requests().length).toBe(seen);
    expect(await typesOf(id)).toEqual(["invoice.failed"]);
    // Who asks for it again only asks what became of it.
    await live.ask("POST", `/invoices/${id}/emit`);
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(
      stage.simulator
        .requests()
        .slice(seen)
        .map(({ method }) => method),
    ).toEqual(["GET", "GET"]);
    expect(await stage.nfseOf(id)).toBe(1);
  });

  test("of a cancellation: canceling stays until somebody asks again", async () => {
    const { id } = await live.emit();
    await stage.work();
    await live.ask("POST", `/invoices/${id}/cancel`, REASON);
    stage.next({ kind: "wrong_signer" });
    expect(await alarmsOf()).toEqual([{ alarm: "invoice_answer_untrusted", invoice_id: id, level: 50 }]);
    expect(await live.read(id)).toMatchObject({
      status: "canceling",
      last_error_code: "untrusted_answer",
      next_attempt_at: null,
      canceled_at: null,
    });
    expect((await stage.transmission(id, "cancel")).answer).toBeInstanceOf(Buffer);
    await stage.comeDue();
    expect(await stage.work()).toBe(0);
    expect((await live.ask("POST", `/invoices/${id}/cancel`, REASON)).status).toBe(202);
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "canceled" });
    expect(await typesOf(id)).toEqual(["invoice.authorized", "invoice.canceled"]);
  });
});

test("webhooks are told of each end, with data by the schema of its kind", async () => {
  const { id } = await live.emit({ external_ref: "order-10" });
  const reject = (code: string) => ({ kind: "reject", errors: [{ code, message: "Recusado" }] });
  stage.next(reject("E0310"));
  await stage.work();
  await live.ask("POST", `/invoices/${id}/emit`);
  stage.next({ kind: "error_before" });
  await stage.work();
  await stage.comeDue();
  await stage.work();
  const { number, access_key } = await live.read(id);
  await live.ask("POST", `/invoices/${id}/cancel`, REASON);
  stage.next(reject("E0822"));
  await stage.work();
  expect(await live.read(id)).toMatchObject({
    status: "authorized",
    last_error_code: "E0822",
    last_error_message: "E0822: Recusado",
    access_key,
    next_attempt_at: null,
  });
  await live.ask("POST", `/invoices/${id}/cancel`, REASON);
  await stage.work();

  const events = await stage.eventsOf(id);
  const data = { invoice_id: id, number, access_key, external_ref: "order-10", last_error_code: null };
  expect(events).toEqual([
    {
      type: "invoice.rejected",
      data: { ...data, access_key: null, status: "rejected", last_error_code: "E0310" },
    },
    { type: "invoice.failed", data: { ...data, access_key: null, status: "failed", last_error_code: "http_500" } },
    { type: "invoice.authorized", data: { ...data, status: "authorized" } },
    { type: "invoice.cancel_refused", data: { ...data, status: "authorized", last_error_code: "E0822" } },
    { type: "invoice.canceled", data: { ...data, status: "canceled" } },
  ]);
  const { rows } = await stage.selo.database.admin.query<{ name: string; data_schema: object }>(
    "select name, data_schema from webhooks.event_kinds where name like 'invoice.%'",
  );
  const ajv = new Validator({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  expect(rows.map(({ name }) => name).sort()).toEqual(events.map(({ type }) => type).sort());
  for (const { name, data_schema } of rows) {
    const validate = ajv.compile(data_schema);
    validate(events.find(({ type }) => type === name)?.data);
    expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
  }
});

test("the trail verifies after all of this", async () => {
  expect(await verifyAll(stage.selo.operator)).toMatchObject({ faults: [] });
});
