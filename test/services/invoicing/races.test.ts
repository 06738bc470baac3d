// Commands, attempts and claims at one moment: issue "Invoicing" §3 to §5. One wins, and the others hear the documented code.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Environment, Jobs } from "../../../src/postgres/jobs.ts";
import { type Asker, answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { actionsOf } from "./invoicing-stage.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  live = await stage.ready();
  ({ headers } = await signedIn(stage.selo, stage.organization, "admin"));
});
afterAll(() => stage?.close());

const REASON = { reason_code: "2", reason: "O serviço não foi prestado." };
const ROUNDS = [1, 2];

/** The same request by a token and by a session, at one moment. */
const twice = (method: string, path: string, body?: object, key?: string): Promise<RestResponse[]> => {
  const given = { ...(body && { body }), ...(key !== undefined && { key }) };
  return Promise.all([
    call(stage.selo, method, path, { token: stage.organization.live, ...given }),
    call(stage.selo, method, path, { headers, ...given }),
  ]);
};

/** One was answered so, the other was refused by this code. */
function expectOneWinner(answers: readonly RestResponse[], status: number, refused: string): void {
  const [winner, loser] = [...answers].sort((one, other) => one.status - other.status);
  expect([winner?.status, loser?.status]).toEqual([status, 409]);
  expectError(loser ?? null, 409, refused);
}

test("emit against emit: one is 202, the other 409 invalid_status, and one NFS-e is issued", async () => {
  for (const _ of ROUNDS) {
    const { id } = await live.emit({ emit: false });
    expectOneWinner(await twice("POST", `/invoices/${id}/emit`), 202, "invalid_status");
    stage.next({ kind: "drop_after" });
    await stage.work();
    // The same of a failed one.
    expectOneWinner(await twice("POST", `/invoices/${id}/emit`), 202, "invalid_status");
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await stage.nfseOf(id)).toBe(1);
    const actions = await actionsOf(stage.selo, id);
    expect(actions.filter((action) => action === "invoice.emitted")).toHaveLength(2);
  }
});

test("emit against DELETE: the invoice is gone, or it is issued", async () => {
  for (const _ of ROUNDS) {
    const { id } = await live.emit({ emit: false });
    const [sent, gone] = await Promise.all([
      live.ask("POST", `/invoices/${id}/emit`),
      call(stage.selo, "DELETE", `/invoices/${id}`, { headers }),
    ]);
    await stage.work();
    if (gone.status === 204) {
      expectError(sent, 404, "not_found");
      expectError(await live.ask("GET", `/invoices/${id}`), 404, "not_found");
    } else {
      expectError(gone, 409, "not_draft");
      expect(sent.status).toBe(202);
      expect(await live.read(id)).toMatchObject({ status: "authorized" });
    }
  }
});

test("PATCH against emit: what is issued is what the invoice says", async () => {
  for (const _ of ROUNDS) {
    const { id } = await live.emit({ emit: false });
    const [changed, sent] = await Promise.all([
      live.ask("PATCH", `/invoices/${id}`, { amount_services: "777.00" }),
      call(stage.selo, "POST", `/invoices/${id}/emit`, { headers }),
    ]);
    expect(sent.status).toBe(202);
    if (changed.status !== 200) expectError(changed, 409, "invalid_status");
    await stage.work();
    const amount = changed.status === 200 ? "777.00" : "1000.00";
    expect(await live.read(id)).toMatchObject({ status: "authorized", amount_services: amount });
    const { text } = await live.ask("GET", `/invoices/${id}/files/xml/raw`);
    expect(text).toContain(`<vServ>${amount}</vServ>`);
  }
});

test("two cancels: one is 202, the other 409 invalid_status, and one cancellation is sent", async () => {
  for (const _ of ROUNDS) {
    const { id } = await live.emit();
    await stage.work();
    expectOneWinner(await twice("POST", `/invoices/${id}/cancel`, REASON), 202, "invalid_status");
    await stage.work();
    const { status, access_key } = await live.read(id);
    expect(status).toBe("canceled");
    const sent = stage.simulator.requests().filter(({ path }) => path.startsWith(`/nfse/${access_key}/eventos`));
    expect(sent.map(({ method }) => method)).toEqual(["POST"]);
  }
});

test("two POST with one Idempotency-Key, by a token and a session: 201 and 200, one invoice, one NFS-e", async () => {
  const body = {
    customer_id: live.customer.id,
    service_id: live.service.id,
    issuer_id: live.issuer.id,
    amount_services: "10.00",
  };
  for (const _ of ROUNDS) {
    const answers = await twice("POST", "/invoices", body, randomUUID());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    const [id, other] = answers.map((answer) => answer.body.id);
    expect(other).toBe(id);
    const again = answers.find(({ status }) => status === 200);
    expect(again?.headers.get("idempotent-replayed")).toBe("true");
    expect(await stage.work()).toBe(1);
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await stage.nfseOf(id)).toBe(1);
  }
});

test("two createInvoice with one idempotencyKey, by a token and a session: one invoice, and one answer says that it is replayed", async () => {
  const ask = (asker: Asker, idempotencyKey: string) =>
    graphql(
      stage.selo,
      asker,
      "mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { id } } }",
      {
        input: {
          customerId: live.customer.id,
          serviceId: live.service.id,
          issuerId: live.issuer.id,
          amountServices: "10.00",
          idempotencyKey,
        },
      },
    );
  for (const _ of ROUNDS) {
    const key = randomUUID();
    const answers = await Promise.all([ask(stage.organization.live, key), ask(headers, key)]);
    expect(answers.map(({ errors }) => errors)).toEqual([[], []]);
    const [one, other] = answers.map((answer) => answered<{ invoice: { id: string } }>(answer, "createInvoice"));
    expect(other).toEqual(one);
    const replays = answers.map((answer) => answer.headers.get("idempotent-replayed"));
    expect(replays.filter((replay) => replay === "true")).toHaveLength(1);
    expect(await stage.work()).toBe(1);
    expect(await live.read(one?.invoice.id ?? "")).toMatchObject({ status: "authorized" });
  }
});

/** Statements of a worker that stops before it records, until it may go on. */
class HeldJobs extends Jobs {
  readonly arrived = Promise.withResolvers<void>();
  readonly released = Promise.withResolvers<void>();

  override async call(environment: Environment, step: string, args: object): Promise<unknown> {
    if (step === "record_transmission") {
      this.arrived.resolve();
      await this.released.promise;
    }
    return super.call(environment, step, args);
  }
}

describe("emit against an attempt under way", () => {
  test.each([
    ["that is authorized", { kind: "pass" }, "authorized"],
    ["that gets no answer", { kind: "drop_after" }, "failed"],
    ["that is rejected", { kind: "reject", errors: [{ code: "E0310" }] }, "rejected"],
  ])("%s: emit is 202, nobody else sends meanwhile, and one NFS-e is issued", async (_, step, status) => {
    const { id } = await live.emit();
    stage.next({ kind: "drop_before" });
    await stage.work();
    await stage.comeDue();
    const [lease] = await stage.claim();
    const jobs = new HeldJobs(stage.pool);
    stage.next(step);
    const running = lease && stage.run(lease, { jobs });
    await jobs.arrived.promise;
    // The answer has come, and nobody knows it.
    expect(await live.ask("POST", `/invoices/${id}/emit`)).toMatchObject({ status: 202, body: { status: "queued" } });
    expectError(await live.ask("POST", `/invoices/${id}/emit`), 409, "invalid_status");
    expectError(await live.ask("POST", `/invoices/${id}/cancel`, REASON), 409, "invalid_status");
    expect(await stage.work()).toBe(0);
    jobs.released.resolve();
    await running;
    expect(await live.read(id)).toMatchObject({ status });
    stage.next();
    if (status === "rejected") await live.ask("POST", `/invoices/${id}/emit`);
    await stage.comeDue();
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await stage.nfseOf(id)).toBe(1);
  });
});

test("two claims at one moment lease at most five of an issuer together", async () => {
  const { admin } = stage.selo.database;
  const opened = async () => {
    const client = await stage.pool.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    await client.query("begin");
    const claim = () => client.query<{ invoice_id: string }>("select invoice_id from jobs.claim_transmissions(20)");
    const commit = () => client.query("commit").finally(() => client.release());
    return { pid: rows[0]?.pid, claim, commit };
  };
  const emitSome = async (count: number) => {
    const ids = [];
    for (let each = 0; each < count; each++) ids.push((await live.emit()).id);
    return ids;
  };
  const [one, other] = [await opened(), await opened()];
  await emitSome(5);
  expect((await one.claim()).rows).toHaveLength(5);
  // What was asked for earlier, and is committed later.
  await admin.query(
    "update invoicing.transmissions set due_at = due_at - interval '1 hour' where invoice_id = any ($1)",
    [await emitSome(3)],
  );
  let hasEnded = false;
  const claiming = other.claim().finally(() => {
    hasEnded = true;
  });
  for (let isWaiting = false; !isWaiting && !hasEnded; )
    isWaiting = (await admin.query("select from pg_locks where pid = $1 and not granted", [other.pid])).rowCount === 1;
  await one.commit();
  expect((await claiming).rows).toEqual([]);
  await other.commit();
  // What the second claim held is free again.
  await stage.comeDue();
  expect(await stage.work()).toBe(5);
  expect(await stage.work()).toBe(3);
});

test("organizations take turns: one invoice of another comes before the thirtieth of the first, however late it was queued", async () => {
  const other = await stage.selo.newOrganization({ name: "Another" });
  const crowd = [];
  for (const series of ["21", "22", "23", "24", "25", "26"])
    crowd.push(await stage.ready(stage.organization.live, { issuer: { series } }));
  for (const { emit } of crowd) for (let each = 0; each < 5; each++) await emit();
  const alone = await (await stage.ready(other.live, { issuer: { series: "30" } })).emit();
  const leases = await stage.claim(20);
  expect(leases).toHaveLength(20);
  expect(leases.map(({ invoiceId }) => invoiceId)).toContain(alone.id);
  await Promise.all(leases.map((lease) => stage.run(lease)));
  expect(await stage.work()).toBe(11);
});

test("the trail verifies after all of this", async () => {
  expect(await verifyAll(stage.selo.operator)).toMatchObject({ faults: [] });
});
