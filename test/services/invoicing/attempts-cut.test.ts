// Workers that die at each step of an attempt: issue "Invoicing" §5. What is committed stays, and an invoice becomes one NFS-e.
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { type Environment, Jobs } from "../../../src/postgres/jobs.ts";
import type { TransmissionLease } from "../../../src/services/invoicing/store.ts";
import { ATTEMPT_MS } from "../../../workers/invoicing/attempt.ts";
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
const cancel = (id: string) => live.ask("POST", `/invoices/${id}/cancel`, REASON);

/** Where a worker dies: before it asks for a step, or after the step is committed. */
type Cut = readonly ["before" | "after", "begin_transmission" | "keep_request" | "record_transmission"];
const CUTS: readonly Cut[] = [
  ["before", "begin_transmission"],
  ["after", "begin_transmission"],
  ["before", "keep_request"],
  ["after", "keep_request"],
  // What was sent has arrived, and its answer too.
  ["before", "record_transmission"],
  ["after", "record_transmission"],
];

/** The statements of a worker that dies: none comes after. */
class DyingJobs extends Jobs {
  readonly #cut: Cut;
  #isDead = false;

  constructor(pool: ConstructorParameters<typeof Jobs>[0], cut: Cut) {
    super(pool);
    this.#cut = cut;
  }

  override async call(environment: Environment, step: string, args: object): Promise<unknown> {
    const [when, name] = this.#cut;
    const isHere = step === name;
    if (this.#isDead || (isHere && when === "before")) return this.#die();
    const answer = await super.call(environment, step, args);
    return isHere ? this.#die() : answer;
  }

  #die(): never {
    this.#isDead = true;
    throw new Error("the worker is dead");
  }
}

/** The worker of the invoice dies there. Its lease runs out, and another worker goes on. */
async function die(cut: Cut): Promise<void> {
  const [lease] = await claimed(1);
  await expect(stage.run(lease as TransmissionLease, { jobs: new DyingJobs(stage.pool, cut) })).rejects.toThrow("dead");
  // Nobody else works on it before.
  expect(await stage.claim()).toEqual([]);
  await stage.comeDue();
}

async function claimed(count: number): Promise<readonly TransmissionLease[]> {
  const leases = await stage.claim();
  expect(leases).toHaveLength(count);
  return leases;
}

const requestsAbout = (path: string) =>
  stage.simulator
    .requests()
    .filter((request) => request.path.startsWith(path))
    .map(({ method, path: asked }) => `${method} ${asked.slice(path.length)}`);

const DONE = ["invoice.numbered", "invoice.authorized", "invoice.canceling", "invoice.canceled"];

test.each(CUTS)("death %s %s: one NFS-e, one number, one cancellation", async (...cut) => {
  const { next_number: first } = (await live.ask("GET", `/issuers/${live.issuer.id}`)).body;
  const { id } = await live.emit();
  await die(cut);
  const died = await live.read(id);
  await stage.work();
  const issued = await live.read(id);
  expect(issued).toMatchObject({ status: "authorized", number: first, last_error_code: null });
  // What the dead worker committed counts.
  if (died.number !== null) expect(issued.number).toBe(died.number);
  expect(await stage.nfseOf(id)).toBe(1);

  expect((await cancel(id)).status).toBe(202);
  await die(cut);
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceled", chain: { valid: true } });
  expect(await stage.nfseOf(id)).toBe(1);
  expect(await actionsOf(stage.selo, id)).toEqual(["invoice.queued", ...DONE]);
  expect((await stage.eventsOf(id)).map(({ type }) => type)).toEqual(["invoice.authorized", "invoice.canceled"]);
  expect(await stage.work()).toBe(0);
  expect((await live.ask("GET", `/issuers/${live.issuer.id}`)).body.next_number).toBe(first + 1);
});

test("one death after the other, and a connection that breaks after the document was stored", async () => {
  const { id } = await live.emit();
  // The second time what was sent is found.
  const cuts = [...CUTS.slice(0, 5), ...CUTS.slice(4, 5)];
  for (const cut of cuts) await die(cut);
  stage.next({ kind: "drop_before", on: "read" });
  await stage.work();
  await stage.comeDue();
  await stage.work();
  const { access_key } = await live.read(id);
  await cancel(id);
  for (const cut of cuts) await die(cut);
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceled", access_key });
  expect(await stage.nfseOf(id)).toBe(1);
  expect(requestsAbout(`/nfse/${access_key}/eventos`).filter((request) => request === "POST ")).toHaveLength(1);
});

test("what a worker does after its lease has run out counts for nothing, whatever it was answered", async () => {
  const { id } = await live.emit();
  const [late] = await claimed(1);
  await stage.comeDue();
  await stage.work();
  const before = await live.read(id);
  const sent = stage.simulator.requests().length;
  await stage.run(late as TransmissionLease);
  expect(await live.read(id)).toEqual(before);
  expect(stage.simulator.requests().length).toBe(sent);
});

test("an attempt ends before its lease, however slowly the tax authority answers", async () => {
  const { id } = await live.emit();
  // A request alone may last longer than this test.
  const authority = new TaxAuthority({
    baseUrl: stage.simulator.url,
    ca: stage.simulator.caPem,
    requestMs: 2 ** 31 - 1,
  });
  const route = { authority, trusted: [stage.simulator.signerPem] };
  for (const step of [
    { kind: "slow_drip", ms: 10_000 },
    { kind: "slow_drip", ms: 10_000, on: "read" },
  ]) {
    stage.next(step);
    const [lease] = await claimed(1);
    await stage.run(lease as TransmissionLease, { routeOf: async () => route, attemptMs: 250 });
    expect(await live.read(id)).toMatchObject({ status: "failed", last_error_code: "transport" });
    await stage.comeDue();
  }
  await authority.close();
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "authorized" });
  expect(await stage.nfseOf(id)).toBe(1);

  const before = await now();
  await live.emit();
  await claimed(1);
  const { rows } = await stage.selo.database.admin.query<{ leased_until: Date }>(
    "select leased_until from invoicing.transmissions where leased_until is not null",
  );
  // Its last answer is recorded under the lease.
  expect((rows[0]?.leased_until.getTime() ?? 0) - before.getTime()).toBeGreaterThanOrEqual(ATTEMPT_MS + 20_000);
  await stage.comeDue();
  await stage.work();
});

async function now(): Promise<Date> {
  const { rows } = await stage.selo.database.admin.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now ?? new Date(0);
}

/** An invoice whose cancellation is asked for, and the path of the events of its NFS-e. */
async function canceling() {
  const { id } = await live.emit();
  await stage.work();
  expect((await cancel(id)).status).toBe(202);
  const { access_key } = await live.read(id);
  return { id, access_key, events: `/nfse/${access_key}/eventos` };
}

test("a cancellation in doubt asks for the event first, and is sent again only if there is none", async () => {
  const { id, events } = await canceling();
  stage.next({ kind: "error_before" });
  await stage.work();
  expect(await live.read(id)).toMatchObject({
    status: "canceling",
    last_error_code: "http_500",
    next_attempt_at: expect.any(String),
  });
  const { request } = await stage.transmission(id, "cancel");
  await stage.comeDue();
  // Without an answer to the question nothing is sent.
  stage.next({ kind: "drop_before", on: "read" });
  await stage.work();
  await stage.comeDue();
  stage.next({ kind: "drop_after" });
  await stage.work();
  expect((await stage.transmission(id, "cancel")).request).toEqual(request);
  await stage.comeDue();
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceled", last_error_code: null, next_attempt_at: null });
  expect(requestsAbout(events)).toEqual(["POST ", "GET /101101/1", "GET /101101/1", "POST ", "GET /101101/1"]);
  expect((await stage.eventsOf(id)).map(({ type }) => type)).toEqual(["invoice.authorized", "invoice.canceled"]);
});

test.each(["E0802", "E0840"])("%s means canceled, once the event is found", async (code) => {
  const { id, events, access_key } = await canceling();
  const already = { kind: "reject", errors: [{ code, message: "NFS-e já cancelada" }] };
  // There is no event: nobody knows.
  stage.next(already);
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceling", last_error_code: "http_400" });
  // The request arrives after all.
  const { request } = await stage.transmission(id, "cancel");
  const xml = gunzipSync(request ?? Buffer.alloc(0)).toString("utf8");
  expect((await stage.authority.cancel(live.identity, access_key, xml)).kind).toBe("accepted");
  await stage.selo.database.admin.query(
    "update invoicing.transmissions set is_in_doubt = false where invoice_id = $1 and kind = 'cancel'",
    [id],
  );
  await stage.comeDue();
  stage.next(already);
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceled", canceled_at: expect.any(String) });
  expect(requestsAbout(events)).toEqual(["POST ", "GET /101101/1", "POST ", "POST ", "GET /101101/1"]);
});

test("a cancellation without a usable answer for 5 days is tried no more, and can be asked for again", async () => {
  const { id, events } = await canceling();
  stage.next({ kind: "drop_before" });
  await stage.work();
  expectError(await cancel(id), 409, "invalid_status");
  await stage.selo.database.admin.query(
    "update invoicing.transmissions set first_failed_at = first_failed_at - interval '5 days' where invoice_id = $1",
    [id],
  );
  await stage.comeDue();
  stage.next({ kind: "forbidden", on: "read" });
  await stage.work();
  expect(await live.read(id)).toMatchObject({
    status: "canceling",
    last_error_code: "http_403",
    next_attempt_at: null,
  });
  await stage.comeDue();
  expect(await stage.work()).toBe(0);
  expect(await cancel(id)).toMatchObject({ status: 202, body: { status: "canceling", last_error_code: null } });
  expect(await stage.transmission(id, "cancel")).toMatchObject({ attempts: 0, first_failed_at: null });
  await stage.work();
  expect(await live.read(id)).toMatchObject({ status: "canceled" });
  expect(requestsAbout(events)).toEqual(["POST ", "GET /101101/1", "GET /101101/1", "POST "]);
});

test("the trail verifies after all of this", async () => {
  expect(await verifyAll(stage.selo.operator)).toMatchObject({ faults: [] });
});
