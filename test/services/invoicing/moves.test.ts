// Invoices under random commands, attempts and answers: issue "Invoicing" §4, the table of legal moves.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  live = await stage.ready();
});
afterAll(() => stage?.close());

const REASON = { reason_code: "2", reason: "O serviço não foi prestado." };

/** What a command asks, from which states it is legal, and how it is answered otherwise. */
const COMMANDS = {
  patch: { from: ["draft", "rejected"], status: 200, refused: "invalid_status" },
  delete: { from: ["draft"], status: 204, refused: "not_draft" },
  emit: { from: ["draft", "rejected", "failed"], status: 202, refused: "invalid_status" },
  cancel: { from: ["authorized"], status: 202, refused: "invalid_status" },
} as const;
type Command = keyof typeof COMMANDS;

/** What a request that writes can meet: whether the tax authority stores the document, and what the answer is worth. */
const ANSWERS = {
  pass: { stores: true, says: "yes" },
  reject: { stores: false, says: "no" },
  error_before: { stores: false, says: "nothing" },
  error_after: { stores: true, says: "nothing" },
  drop_before: { stores: false, says: "nothing" },
  drop_after: { stores: true, says: "nothing" },
  drop_halfway: { stores: true, says: "nothing" },
  garbage: { stores: true, says: "nothing" },
  forbidden: { stores: false, says: "nothing" },
  wrong_signer: { stores: true, says: "lies" },
} as const;
type Answer = keyof typeof ANSWERS;

interface Model {
  status: "draft" | "deleted" | "queued" | "failed" | "authorized" | "rejected" | "canceling" | "canceled";
  /** An attempt is due now, waits for its time, or is made no more. */
  next: "due" | "waiting" | "none";
  readonly issue: { isInDoubt: boolean; isStored: boolean };
  readonly cancel: { isInDoubt: boolean; isStored: boolean };
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("command" as const),
    command: fc.constantFrom(...(Object.keys(COMMANDS) as Command[])),
  }),
  fc.record({
    kind: fc.constant("attempt" as const),
    answer: fc.constantFrom(...(Object.keys(ANSWERS) as Answer[]), "pass", "pass"),
    isQuestionAnswered: fc.boolean(),
    isLater: fc.boolean(),
  }),
);
type Step = (typeof step extends fc.Arbitrary<infer Of> ? Of : never) & object;
type Attempt = Extract<Step, { kind: "attempt" }>;

const isLegal = ({ status, next }: Model, command: Command) =>
  (COMMANDS[command].from as readonly string[]).includes(status) ||
  // A cancellation that is tried no more can be asked for again.
  (command === "cancel" && status === "canceling" && next === "none");

function afterCommand(model: Model, command: Command): void {
  if (command === "patch") return;
  model.status = ({ delete: "deleted", emit: "queued", cancel: "canceling" } as const)[command];
  model.next = command === "delete" ? "none" : "due";
}

function afterAttempt(model: Model, { answer, isQuestionAnswered, isLater }: Attempt): void {
  if (isLater && model.next === "waiting") model.next = "due";
  if (model.next !== "due") return;
  const isIssue = model.status !== "canceling";
  const work = isIssue ? model.issue : model.cancel;
  const end = (says: "yes" | "no" | "nothing" | "lies") => {
    model.next = says === "nothing" ? "waiting" : "none";
    if (says === "yes") model.status = isIssue ? "authorized" : "canceled";
    if (says === "no") model.status = isIssue ? "rejected" : "authorized";
    if (isIssue && (says === "nothing" || says === "lies")) model.status = "failed";
    work.isInDoubt = says === "nothing" || says === "lies";
  };
  if (work.isInDoubt && !isQuestionAnswered) end("nothing");
  else if (work.isInDoubt && work.isStored) end("yes");
  else {
    const { stores, says } = ANSWERS[answer];
    if (stores) work.isStored = true;
    end(says);
  }
}

const ask = {
  patch: (id: string) => live.ask("PATCH", `/invoices/${id}`, { description: `Serviço ${Math.random()}` }),
  delete: (id: string) => live.ask("DELETE", `/invoices/${id}`),
  emit: (id: string) => live.ask("POST", `/invoices/${id}/emit`),
  cancel: (id: string) => live.ask("POST", `/invoices/${id}/cancel`, REASON),
} as const satisfies Record<Command, unknown>;

/** The state of an invoice, and a digest of all that is kept of it. */
async function kept(id: string): Promise<{ status: string; digest: string }> {
  const { rows } = await stage.selo.database.admin.query<{ status: string | null; digest: string }>(
    `select (select status from invoicing.invoices where id = $1) as status, md5(
       (select coalesce(jsonb_agg(invoice), '[]') from invoicing.invoices as invoice where id = $1)::text
       || (select coalesce(jsonb_agg(transmission order by kind), '[]') from invoicing.transmissions as transmission where invoice_id = $1)::text
       || (select count(*) from platform.audit_events where subject_id = $1)) as digest`,
    [id],
  );
  return { status: rows[0]?.status ?? "deleted", digest: rows[0]?.digest ?? "" };
}

async function obey(id: string, model: Model, command: Command): Promise<void> {
  const before = await kept(id);
  const answer = await ask[command](id);
  const { refused, status } = COMMANDS[command];
  if (isLegal(model, command)) {
    expect({ command, from: model.status, status: answer.status }).toEqual({ command, from: model.status, status });
    afterCommand(model, command);
    return;
  }
  if (model.status === "deleted") expectError(answer, 404, "not_found");
  else expectError(answer, 409, refused);
  expect(await kept(id)).toEqual(before);
}

async function attempt(model: Model, given: Attempt): Promise<void> {
  const { answer, isQuestionAnswered, isLater } = given;
  if (isLater) await stage.comeDue();
  const wrong = answer === "reject" ? { errors: [{ code: "E0310", message: "Recusado" }] } : {};
  const isAsked = (model.status === "canceling" ? model.cancel : model.issue).isInDoubt;
  stage.next(
    ...(isAsked && !isQuestionAnswered ? [{ kind: "drop_before", on: "read" }] : []),
    ...(answer === "pass" ? [] : [{ kind: answer, ...wrong }]),
  );
  await stage.work();
  stage.next();
  afterAttempt(model, given);
}

test("after any sequence the state is that of a model, what is illegal changes nothing, and an invoice becomes one NFS-e", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 6, maxLength: 14 }), async (emit, steps) => {
      const { id } = await live.emit({ emit });
      const model: Model = {
        status: emit ? "queued" : "draft",
        next: emit ? "due" : "none",
        issue: { isInDoubt: false, isStored: false },
        cancel: { isInDoubt: false, isStored: false },
      };
      for (const each of steps) {
        await (each.kind === "command" ? obey(id, model, each.command) : attempt(model, each));
        expect((await kept(id)).status).toBe(model.status);
      }
      // What is still under way comes to its end.
      const toEnd = { kind: "attempt", answer: "pass", isQuestionAnswered: true, isLater: true } as const;
      if (model.next === "none" && model.status === "failed") await obey(id, model, "emit");
      if (model.next === "none" && model.status === "canceling") await obey(id, model, "cancel");
      await attempt(model, toEnd);
      expect(await stage.work()).toBe(0);
      expect((await kept(id)).status).toBe(model.status);
      if (model.status === "draft" || model.status === "deleted") return;
      expect(await stage.nfseOf(id)).toBe(model.issue.isStored ? 1 : 0);
      const read = await live.read(id);
      expect(read).toMatchObject({ status: model.status, chain: { valid: true, broken_at: null } });
      const count = (action: string) =>
        read.events.filter((event: { action: string }) => event.action === action).length;
      expect(["invoice.numbered", "invoice.authorized", "invoice.canceled"].map(count)).toEqual([
        1,
        model.issue.isStored ? 1 : 0,
        model.status === "canceled" ? 1 : 0,
      ]);
    }),
    { numRuns: 12 },
  );
});

test("each number was taken once, and the trail verifies", async () => {
  const { rows } = await stage.selo.database.admin.query<{ number: number }>(
    "select number::integer from invoicing.invoices where number is not null order by number",
  );
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, place) => place + 1));
  expect(await verifyAll(stage.selo.operator)).toMatchObject({ faults: [] });
});
