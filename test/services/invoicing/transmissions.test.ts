// Transmission (message-webhooks part B §3): what becomes of a queued invoice, and what is sent.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureHolds } from "../../adapters/tax-authority/oracles.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { actionsOf, invoicingCaller, long } from "./invoicing-stage.ts";
import { TransmissionStage } from "./transmission-stage.ts";

let stage: TransmissionStage;
let live: Awaited<ReturnType<TransmissionStage["ready"]>>;
beforeAll(async () => {
  stage = await TransmissionStage.open();
  live = await stage.ready();
});
afterAll(() => stage?.close());

const next = (...steps: Parameters<TransmissionStage["simulator"]["setScenario"]>[0]["next"]) =>
  stage.simulator.setScenario({ next: steps });
/** NFS-e of the simulator, by the Id of the DPS. */
const issued = () => Object.values(stage.simulator.nfseCounts());
const eventTypes = async (id: string) => {
  const { rows } = await stage.selo.database.admin.query<{ type: string }>(
    "select type from webhooks.events where body::json ->> 'resource_id' = $1 order by id",
    [id],
  );
  return rows.map(({ type }) => type);
};
const raw = (id: string, kind: string) => live.ask("GET", `/invoices/${id}/files/${kind}/raw`);

test("POST /invoices: queued, transmitted, and authorized; NFS-e and DPS pass xmlsec1, and a changed byte does not", async () => {
  const invoice = await live.emit({ external_ref: "order-1" });
  expect(invoice).toMatchObject({ status: "queued", number: null, access_key: null });
  expectError(await raw(invoice.id, "xml"), 404, "file_missing");
  expect(await stage.work()).toBe(1);
  const read = await live.read(invoice.id);
  expect(read).toMatchObject({
    status: "authorized",
    series: "1",
    number: 1,
    nfse_number: expect.stringMatching(/^\d+$/),
    access_key: expect.stringMatching(/^\d{50}$/),
    last_error_code: null,
    next_attempt_at: null,
    authorized_at: expect.any(String),
    chain: { valid: true, broken_at: null },
  });
  expect(await actionsOf(stage.selo, invoice.id)).toEqual(["invoice.queued", "invoice.numbered", "invoice.authorized"]);
  expect(await eventTypes(invoice.id)).toEqual(["invoice.authorized"]);
  for (const [kind, element] of [
    ["xml", "infNFSe"],
    ["dps", "infDPS"],
  ] as const) {
    const { text, headers } = await raw(invoice.id, kind);
    expect(headers.get("content-type")).toBe("application/xml");
    expect(signatureHolds(text, element, stage.simulator.caPem)).toBe(true);
    expect(text).toContain("1000.00");
    expect(signatureHolds(text.replace("1000.00", "1000.01"), element, stage.simulator.caPem)).toBe(false);
  }
});

test("the DANFSe is a PDF of what was issued, and says when the invoice is canceled", async () => {
  const invoice = await live.emit({ description: "Consultoria de outubro" });
  expectError(await raw(invoice.id, "pdf"), 404, "file_missing");
  await stage.work();
  const text = async () => {
    const answer = await fetch(`${stage.selo.baseUrl}/api/v1/invoices/${invoice.id}/files/pdf/raw`, {
      headers: { authorization: `Bearer ${stage.organization.live}` },
    });
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    return execFileSync("pdftotext", ["-layout", "-", "-"], {
      input: Buffer.from(await answer.arrayBuffer()),
      encoding: "utf8",
    });
  };
  const { access_key } = await live.read(invoice.id);
  const issuedText = await text();
  expect(issuedText.replaceAll(/\s/g, "")).toContain(access_key);
  expect(issuedText).toContain("Consultoria de outubro");
  expect(issuedText).not.toContain("CANCELADA");
  await live.ask("POST", `/invoices/${invoice.id}/cancel`, { reason_code: "2", reason: "O serviço não foi prestado." });
  await stage.work();
  expect(await text()).toContain("CANCELADA");
});

describe("doubt", () => {
  test.each([
    ["an answer that never comes, after the NFS-e was stored", { kind: "drop_after" }, "transport"],
    ["a connection that breaks before anything is stored", { kind: "drop_before" }, "transport"],
    ["500 before anything is stored", { kind: "error_before" }, "http_500"],
    ["500 after the NFS-e was stored", { kind: "error_after" }, "http_500"],
    ["403 without a reason", { kind: "forbidden" }, "http_403"],
    ["garbage", { kind: "garbage" }, "http_201"],
  ] as const)("%s: failed, and one NFS-e in the end", async (_, step, code) => {
    const before = issued().length;
    const invoice = await live.emit();
    next(step as never);
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({
      status: "failed",
      last_error_code: code,
      next_attempt_at: expect.any(String),
    });
    expect(await stage.work()).toBe(0);
    await stage.comeDue();
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "authorized", last_error_code: null });
    expect(issued().length).toBe(before + 1);
    expect(issued().every((count) => count === 1)).toBe(true);
    expect(await eventTypes(invoice.id)).toEqual(["invoice.failed", "invoice.authorized"]);
  });

  test("the same bytes are sent again under the same number", async () => {
    const invoice = await live.emit();
    next({ kind: "drop_before" } as never);
    await stage.work();
    const first = (await raw(invoice.id, "dps")).text;
    const { number } = await live.read(invoice.id);
    await stage.comeDue();
    await stage.work();
    expect((await raw(invoice.id, "dps")).text).toBe(first);
    expect(await live.read(invoice.id)).toMatchObject({ status: "authorized", number });
  });

  test("while the tax authority does not even answer the question, nothing is sent", async () => {
    const invoice = await live.emit();
    next({ kind: "drop_before" } as never);
    await stage.work();
    await stage.comeDue();
    next({ kind: "drop_before", on: "read" } as never);
    const posts = () => stage.simulator.requests().filter(({ method }) => method === "POST").length;
    const before = posts();
    await stage.work();
    expect(posts()).toBe(before);
    expect(await live.read(invoice.id)).toMatchObject({ status: "failed" });
    await stage.comeDue();
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "authorized" });
  });

  test("an answer that somebody else signed does not count, and nothing is sent anew", async () => {
    const invoice = await live.emit();
    next({ kind: "wrong_signer" } as never);
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({
      status: "failed",
      last_error_code: "untrusted_answer",
      next_attempt_at: null,
    });
    await stage.comeDue();
    expect(await stage.work()).toBe(0);
  });
});

test("a rejection lists every code with its correction; the number stays, and PATCH and emit send it again", async () => {
  const invoice = await live.emit();
  next({
    kind: "reject",
    errors: [
      { code: "E0310", message: "Código inválido" },
      { code: "E0160", message: "Tomador", complement: "Maria" },
    ],
  } as never);
  await stage.work();
  const rejected = await live.read(invoice.id);
  expect(rejected).toMatchObject({ status: "rejected", last_error_code: "E0310", next_attempt_at: null });
  expect(rejected.last_error_message).toContain("E0160: Tomador");
  const event = rejected.events.at(-1);
  expect(event).toMatchObject({
    action: "invoice.rejected",
    details: {
      codes: [
        // The organization speaks English.
        {
          code: "E0310",
          message: "Código inválido",
          correction: expect.stringContaining("not in the list of services"),
        },
        { code: "E0160" },
      ],
    },
  });
  expect(JSON.stringify(event)).not.toContain("Maria");
  expect(await eventTypes(invoice.id)).toEqual(["invoice.rejected"]);
  expect((await live.ask("PATCH", `/invoices/${invoice.id}`, { description: "Outra descrição" })).status).toBe(200);
  expect(await live.ask("POST", `/invoices/${invoice.id}/emit`)).toMatchObject({
    status: 202,
    body: { status: "queued" },
  });
  await stage.work();
  expect(await live.read(invoice.id)).toMatchObject({ status: "authorized", number: rejected.number });
  expect((await raw(invoice.id, "dps")).text).toContain("Outra descri");
});

test("last_error_message has every code of a long refusal in 2,000 characters, and the event has their whole words", async () => {
  const refusedBy = async (letters: readonly number[]) => {
    const errors = letters.map((count, place) => ({ code: `E${1_000 + place}`, message: "ç".repeat(count) }));
    const invoice = await live.emit();
    next({ kind: "reject", errors } as never);
    await stage.work();
    const { last_error_message: message, events } = await live.read(invoice.id);
    expect(events.at(-1)?.details).toMatchObject({ codes: errors });
    return message;
  };
  // "E1000: " is before the first, and a line break and "E1001: " are before the second.
  const most = await refusedBy([985, 1_000]);
  expect(most).toBe(`E1000: ${"ç".repeat(985)}\nE1001: ${"ç".repeat(1_000)}`);
  expect(most).toHaveLength(2_000);
  expect(await refusedBy([986, 1_000])).toBe(`E1000: ${"ç".repeat(986)}\nE1001: ${"ç".repeat(991)}…`);
  const many = await refusedBy(Array<number>(20).fill(300));
  expect(many.length).toBeLessThanOrEqual(2_000);
  expect(many.split("\n")).toEqual(Array.from({ length: 20 }, (_, place) => `E${1_000 + place}: ${"ç".repeat(91)}…`));
});

describe("POST /invoices/{id}/cancel", () => {
  const cancel = (id: string, body: object) => live.ask("POST", `/invoices/${id}/cancel`, body);
  const REASON = { reason_code: "2", reason: "O serviço não foi prestado." };

  test("canceling, then canceled", async () => {
    const invoice = await live.emit();
    expectError(await cancel(invoice.id, REASON), 409, "invalid_status");
    await stage.work();
    expectError(await cancel(invoice.id, { ...REASON, reason_code: "3" }), 422, "invalid_request", ["reason_code"]);
    expect(await cancel(invoice.id, REASON)).toMatchObject({
      status: 202,
      body: { status: "canceling", cancel: REASON },
    });
    const shown = await graphql(
      stage.selo,
      stage.organization.live,
      `{ invoice(id: "${invoice.id}") { status cancel { reasonCode reason } } }`,
    );
    expect(answered(shown, "invoice")).toEqual({
      status: "CANCELING",
      cancel: { reasonCode: REASON.reason_code, reason: REASON.reason },
    });
    expectError(await cancel(invoice.id, REASON), 409, "invalid_status");
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "canceled", canceled_at: expect.any(String) });
    expect(await eventTypes(invoice.id)).toEqual(["invoice.authorized", "invoice.canceled"]);
  });

  test("takes reasons of 15 to 255 characters, without space at the ends, and several spaces as one", async () => {
    const [shortest, longest] = [await live.emit(), await live.emit()];
    await stage.work();
    const because = (id: string, reason: string) => cancel(id, { ...REASON, reason });
    for (const reason of [long(14), ` ${long(14)}\u00a0\n`, `${long(6)}  ${long(7)}`])
      expectError(await because(shortest.id, reason), 422, "reason_too_short", ["reason"]);
    expectError(await because(longest.id, long(256)), 422, "invalid_request", ["reason"]);
    for (const { id } of [shortest, longest]) expect(await live.read(id)).toMatchObject({ status: "authorized" });
    for (const [{ id }, reason] of [
      [shortest, long(15)],
      [longest, long(255)],
    ] as const) {
      expect(await because(id, reason)).toMatchObject({ status: 202, body: { cancel: { reason } } });
    }
    await stage.work();
    for (const { id } of [shortest, longest]) expect(await live.read(id)).toMatchObject({ status: "canceled" });
  });

  test("is of admins, and of tokens with invoices:cancel", async () => {
    const { id } = await live.emit();
    await stage.work();
    const by = (caller: Parameters<typeof invoicingCaller>[1]) =>
      invoicingCaller(stage.selo, caller).ask("POST", `/invoices/${id}/cancel`, REASON);
    const person = async (role: string) => (await signedIn(stage.selo, stage.organization, role)).headers;
    for (const role of ["accountant", "member"]) expectError(await by(await person(role)), 403, "forbidden");
    const writer = await stage.organization.token("live", ["invoices:read", "invoices:write", "invoices:manage"]);
    expectError(await by(writer), 403, "missing_scope");
    expect(await live.read(id)).toMatchObject({ status: "authorized" });
    expect(await by(await person("admin"))).toMatchObject({ status: 202, body: { status: "canceling" } });
    await stage.work();
    expect(await live.read(id)).toMatchObject({ status: "canceled" });
  });

  test("a refusal leaves the invoice authorized, with the reason", async () => {
    const invoice = await live.emit();
    await stage.work();
    await cancel(invoice.id, REASON);
    next({ kind: "reject", errors: [{ code: "E0822", message: "Prazo encerrado" }] } as never);
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "authorized", last_error_code: "E0822" });
    expect(await eventTypes(invoice.id)).toEqual(["invoice.authorized", "invoice.cancel_refused"]);
    await cancel(invoice.id, REASON);
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "canceled" });
  });

  test.each([["drop_after"], ["error_after"], ["already_canceled"]])("%s: canceled in the end", async (kind) => {
    const invoice = await live.emit();
    await stage.work();
    await cancel(invoice.id, REASON);
    next({ kind } as never);
    await stage.work();
    await stage.comeDue();
    await stage.work();
    expect(await live.read(invoice.id)).toMatchObject({ status: "canceled" });
  });
});

test("workers are told of each invoice and each cancellation to transmit, and of nothing else", async () => {
  const client = await stage.selo.database.admin.connect();
  try {
    const heard: string[] = [];
    client.on("notification", ({ payload = "" }) => void heard.push(payload));
    await client.query("listen invoice_transmissions");
    // How often workers were told, up to now: a mark comes after what was said before it.
    const told = async () => {
      const mark = randomUUID();
      await stage.selo.database.admin.query("select pg_notify('invoice_transmissions', $1)", [mark]);
      await expect.poll(() => heard.includes(mark)).toBe(true);
      return heard.splice(0).length - 1;
    };
    const { id } = await live.emit();
    expect(await told()).toBe(1);
    const draft = await live.emit({ emit: false });
    expect(await told()).toBe(0);
    await live.ask("POST", `/invoices/${draft.id}/emit`);
    expect(await told()).toBe(1);
    const cancel = () =>
      live.ask("POST", `/invoices/${id}/cancel`, { reason_code: "2", reason: "O serviço não foi prestado." });
    expectError(await cancel(), 409, "invalid_status");
    await stage.work();
    expect(await told()).toBe(0);
    expect(await cancel()).toMatchObject({ status: 202 });
    expect(await told()).toBe(1);
    await stage.work();
  } finally {
    client.release(true);
  }
});

test("E0014: ours is authorized, also an earlier DPS that was refused meanwhile; another's is rejected, and the next emit takes a new number", async () => {
  const { admin } = stage.selo.database;
  // A DPS arrives late: the answer was a refusal, and the NFS-e exists after all.
  const late = await live.emit();
  next({ kind: "reject", errors: [{ code: "E0310", message: "Código inválido" }] } as never);
  await stage.work();
  const { rows } = await admin.query<{ request: Buffer }>(
    "select request from invoicing.transmissions where invoice_id = $1",
    [late.id],
  );
  const first = gunzipSync(rows[0]?.request ?? Buffer.alloc(0)).toString("utf8");
  expect((await stage.authority.issue(live.identity, first)).kind).toBe("accepted");
  await live.ask("PATCH", `/invoices/${late.id}`, { description: "Outra descrição" });
  await live.ask("POST", `/invoices/${late.id}/emit`);
  await stage.work();
  expect(await live.read(late.id)).toMatchObject({ status: "authorized" });
  expect((await raw(late.id, "dps")).text).toBe(first);

  // Another system has issued our next number.
  const { number } = await live.read((await live.emit()).id).then(async ({ id }) => {
    await stage.work();
    return live.read(id);
  });
  await admin.query("update invoicing.issuers set next_number = $2 where id = $1", [live.issuer.id, number]);
  await admin.query("update invoicing.invoices set series = '9' where number = $1 and issuer_id = $2", [
    number,
    live.issuer.id,
  ]);
  const others = await live.emit({ description: "Outro" });
  await stage.work();
  expect(await live.read(others.id)).toMatchObject({ status: "rejected", last_error_code: "E0014", number: null });
  await live.ask("POST", `/invoices/${others.id}/emit`);
  await stage.work();
  expect(await live.read(others.id)).toMatchObject({ status: "authorized", number: number + 1 });
  await admin.query("update invoicing.invoices set series = '1' where number = $1 and issuer_id = $2", [
    number,
    live.issuer.id,
  ]);
});

test("an attempt that fails at Selo is recorded, and does not hold up the others", async () => {
  const broken = await live.emit();
  await stage.selo.database.admin.query(
    'update invoicing.invoices set service = service || \'{"nbs_code": "not a code"}\' where id = $1',
    [broken.id],
  );
  const sound = await live.emit();
  await stage.work();
  expect(await live.read(broken.id)).toMatchObject({
    status: "failed",
    last_error_code: "internal",
    next_attempt_at: expect.any(String),
  });
  expect(await live.read(sound.id)).toMatchObject({ status: "authorized" });
  await stage.selo.database.admin.query(
    "update invoicing.invoices set service = service || '{\"nbs_code\": null}' where id = $1",
    [broken.id],
  );
  await stage.comeDue();
  await stage.work();
  expect(await live.read(broken.id)).toMatchObject({ status: "authorized" });
});

test("at most five transmissions of an issuer are leased at once, and a lease that ran out counts for nothing", async () => {
  const invoices = [];
  for (let count = 0; count < 7; count++) invoices.push(await live.emit());
  const leases = await stage.claim();
  expect(leases.length).toBe(5);
  expect(await stage.claim()).toEqual([]);
  await stage.selo.database.admin.query(
    "update invoicing.transmissions set leased_until = now() - interval '1 second' where leased_until is not null",
  );
  const again = await stage.claim();
  expect(again.length).toBe(5);
  // The first worker comes back late: whatever it does, the second one's lease alone counts.
  const before = issued().length;
  await Promise.all([...leases, ...again].map((lease) => stage.run(lease)));
  await stage.work();
  for (const { id } of invoices) expect(await live.read(id)).toMatchObject({ status: "authorized" });
  expect(issued().length).toBe(before + 7);
});

test("the trail verifies after all of this", async () => {
  await webhookCaller(stage.selo, stage.organization.live).register();
  expect(await verifyAll(stage.selo.operator)).toMatchObject({ faults: [] });
});
