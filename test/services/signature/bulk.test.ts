// POST /templates/{id}/bulk: an envelope for each row, sent or not. signature-service §4 (bulk rules), §7, §8.
import { hash, randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataKey } from "../../../src/services/signature/documents/data-key.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { numberDigest } from "../../../src/services/signature/envelopes/personal-numbers.ts";
import { inTurns } from "../../../src/services/signature/templates/in-turns.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { taskContext } from "../../support/worker.ts";
import { ANA, aRow, aTemplate, balance, bulk, openBulkStage } from "./bulk-stage.ts";
import { aDocument, ask, CPF, type EnvelopeStage, read } from "./envelope-stage.ts";
import { chain, send } from "./sending-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage & { readonly documentId: string };
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openBulkStage(selo);
});
afterAll(() => selo.stop());

interface RowError {
  readonly message: string;
  readonly fields: readonly [{ readonly field: string }];
}

const countOf = async (of: EnvelopeStage) => (await ask(of, "GET", "/envelopes?limit=1")).body.total as number;

test("bulks of an organization run one after the other, beside those of others", async () => {
  const other = await openBulkStage(selo);
  const client = new pg.Client({ connectionString: selo.database.adminUrl });
  await client.connect();
  /** How many statements wait for a document. */
  const waiting = async () =>
    (
      await selo.database.admin.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%gateway.call(%'",
      )
    ).rowCount;
  const [ownId, otherId] = [await aTemplate(stage), await aTemplate(other)];
  const run = (of: typeof stage, id: string) =>
    Array.from({ length: 3 }, () => bulk(of, id, { rows: [aRow()], document_ids: [of.documentId] }));
  try {
    await client.query("begin");
    await client.query("select from signature.documents where id = any ($1) for update", [
      [stage.documentId, other.documentId],
    ]);
    const own = run(stage, ownId);
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    const others = run(other, otherId);
    await expect.poll(waiting, { timeout: 30_000 }).toBe(2);
    // Each is asked for by now: what does not wait for the document waits for its turn.
    for (let asked = 0; asked < 5; asked++) {
      expect((await ask(stage, "GET", "/labels")).status).toBe(200);
      expect(await waiting()).toBe(2);
    }
    await client.query("rollback");
    const answers = await Promise.all([...own, ...others]);
    expect(answers.map(({ status, body }) => [status, body.created?.length])).toEqual(answers.map(() => [200, 1]));
  } finally {
    await client.end();
  }
});

describe("rows", () => {
  test("each makes an envelope; a row that fails does not stop others", async () => {
    const id = await aTemplate(stage);
    const { status, body } = await bulk(stage, id, {
      rows: [
        aRow({}, { title: "First" }),
        {},
        aRow({ name: "Bia", email: "bia@example.net", cpf: CPF }),
        aRow({ email: "bia" }),
        aRow(
          {},
          {
            recipients: [
              { order_index: 2, ...ANA },
              { order_index: 1, ...ANA },
            ],
          },
        ),
        "no object",
        aRow({}, { color: "red" }),
        aRow({}, { title: "t".repeat(256) }),
        aRow({}, { recipients: [] }),
        aRow(),
      ],
      document_ids: [stage.documentId],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      created: [expect.any(String), expect.any(String), expect.any(String)],
      errors: [
        [1, "template_participant_missing_recipient", "recipients.1"],
        [3, "invalid_request", "recipients.0.email"],
        [4, "invalid_request", "recipients[0].order_index"],
        [5, "invalid_request", ""],
        [6, "invalid_request", "color"],
        [7, "invalid_request", "title"],
        [8, "template_participant_missing_recipient", "recipients.1"],
      ].map(([index, message, field]) => ({ index, message, fields: [{ field, message: expect.any(String) }] })),
    });
    const [first, second, third] = await Promise.all(body.created.map((each: string) => read(stage, each)));
    expect(first).toMatchObject({
      title: "First",
      status: "draft",
      field_placement: "report",
      template_id: id,
      documents: [{ document_id: stage.documentId, position: 1 }],
      participants: [{ ...ANA, order_index: 1 }],
    });
    expect(second).toMatchObject({ title: "Lease", participants: [{ name: "Bia", cpf: "***.982.247-**" }] });
    expect(third.participants).toMatchObject([ANA]);
    expect(await chain(stage, first.id)).toEqual(["envelope.created"]);
  });

  test("a hundred rows of fifty wrong recipients are judged, each by itself", async () => {
    const wrong = Array.from({ length: 50 }, (_, index) => ({ order_index: index + 1, name: "Ana\n", email: "ana" }));
    const { status, body } = await bulk(stage, await aTemplate(stage), {
      rows: Array.from({ length: 100 }, () => ({ recipients: wrong })),
    });
    expect([status, body.errors.length, body.errors[99].fields.length]).toEqual([200, 100, 100]);
  });

  test("a text that Postgres cannot hold is wrong in its row alone", async () => {
    const { status, body } = await bulk(stage, await aTemplate(stage), {
      rows: [
        aRow({ name: "A\0" }),
        aRow({ email: "a\ud800@example.net" }),
        aRow({}, { title: "\ud800" }),
        aRow({}, { "\0": 1 }),
        aRow({}, { [`${"a".repeat(99)}😀`]: 1 }),
        aRow(),
      ],
    });
    expect([status, body.created?.length]).toEqual([200, 1]);
    expect(body.errors.map(({ message, fields: [wrong] }: RowError) => [message, wrong.field])).toEqual(
      ["recipients.0.name", "recipients.0.email", "title", "\uFFFD", `${"a".repeat(99)}\uFFFD`].map((field) => [
        "invalid_request",
        field,
      ]),
    );
  });

  test("others are answered between two rows", async () => {
    let others = 0;
    const next = () => {
      others++;
      waiting = setImmediate(next);
    };
    let waiting = setImmediate(next);
    const seen = await inTurns([1, 2, 3], () => others);
    clearImmediate(waiting);
    expect(new Set(seen).size).toBe(3);
  });

  test("numbers are encrypted for the participant that their recipient becomes", async () => {
    const id = await aTemplate(stage, { participants: [{ order_index: 2 }, { order_index: 1 }] });
    const numbers = [CPF, "111.444.777-35", "390.533.447-05", "153.509.460-56"];
    const row = (first = "", second = "") => ({
      recipients: [
        { order_index: 1, ...ANA, cpf: first, phone: "+5511987654321", ssn_last4: "6789" },
        { order_index: 2, ...ANA, cpf: second },
      ],
    });
    const { body } = await bulk(stage, id, { rows: [row(...numbers), row(...numbers.slice(2))] });
    expect(body.errors).toEqual([]);
    const key = await new DataKeys(masterKeys).ofEnvironment(taskContext(selo.database.admin, masterKeys).jobs, stage);
    const { rows } = await selo.database.admin.query<{ id: string; cpf: Buffer; digest: string }>(
      `select participant.id, participant.enciphered_cpf as cpf, encode(participant.cpf_digest, 'hex') as digest from signature.participants as participant
       where participant.envelope_id = any ($1) order by array_position($1, participant.envelope_id), participant.order_index`,
      [body.created],
    );
    const opened = rows.map(({ id, cpf }) =>
      key?.openText(cpf, { table: "signature.participants", column: "enciphered_cpf", id }),
    );
    expect(opened).toEqual(numbers.map((number) => number.replaceAll(/\D/g, "")));
    // What passes a second factor is the digest whose digest is kept.
    for (const [place, { id, digest }] of rows.entries()) {
      const passes = numberDigest(key as DataKey, "cpf", opened[place] ?? "", id);
      expect(digest).toBe(hash("sha256", Buffer.from(passes, "hex"), "hex"));
    }
    const { participants } = await read(stage, body.created[0]);
    expect(participants).toMatchObject([
      { order_index: 1, cpf: "***.982.247-**", phone: "+55*********21", ssn_last4: "***-**-**89" },
      { order_index: 2, cpf: "***.444.777-**", phone: null },
    ]);
  });

  test("equal rows make two envelopes, and a draft becomes ready with its first edit", async () => {
    const { body } = await bulk(stage, await aTemplate(stage), {
      rows: [aRow(), aRow()],
      document_ids: [stage.documentId],
    });
    expect(new Set(body.created).size).toBe(2);
    const [id] = body.created;
    expect((await read(stage, id)).status).toBe("draft");
    const edited = await ask(stage, "PATCH", `/envelopes/${id}`, { title: "Edited" });
    expect(edited.body.status).toBe("ready");
    expect((await send(stage, body.created[1])).body.status).toBe("sent");
  });

  test("documents keep the order of the call", async () => {
    const ids = [await aDocument(stage), await aDocument(stage), stage.documentId];
    const { body } = await bulk(stage, await aTemplate(stage), { rows: [aRow()], document_ids: ids });
    const { documents } = await read(stage, body.created[0]);
    expect(documents.map((each: { document_id: string }) => each.document_id)).toEqual(ids);
  });

  test("a row of two signers takes a recipient for each", async () => {
    const id = await aTemplate(stage, { signing_order: "sequential", participants: [{}, {}] });
    const { body } = await bulk(stage, id, {
      rows: [
        {
          recipients: [
            { order_index: 2, name: "B", email: "b@example.net" },
            { order_index: 1, ...ANA },
          ],
        },
      ],
    });
    expect((await read(stage, body.created[0])).participants).toMatchObject([
      { ...ANA, order_index: 1 },
      { name: "B", order_index: 2 },
    ]);
  });
});

describe("the whole call is refused, and nothing is made", () => {
  test.each<[string, () => Promise<object> | object, string]>([
    ["no rows", () => ({ rows: [] }), "rows"],
    ["101 rows", () => ({ rows: Array(101).fill({}) }), "rows"],
    ["rows that are no list", () => ({ rows: {} }), "rows"],
    ["send without a document", () => ({ rows: [aRow()], send: true }), "document_ids"],
    [
      "11 documents",
      () => ({ rows: [aRow()], document_ids: Array.from({ length: 11 }, () => randomUUID()) }),
      "document_ids",
    ],
    [
      "a repeated document",
      () => ({ rows: [aRow()], document_ids: [stage.documentId, stage.documentId] }),
      "document_ids.1",
    ],
    [
      "an unknown document",
      () => ({ rows: [aRow()], document_ids: [stage.documentId, randomUUID()] }),
      "document_ids.1",
    ],
    ["no UUID", () => ({ rows: [aRow()], document_ids: ["x"] }), "document_ids.0"],
    [
      "a document of another organization",
      async () => ({ rows: [aRow()], document_ids: [(await openBulkStage(selo)).documentId] }),
      "document_ids.0",
    ],
    [
      "a document that is not ready",
      async () => ({ rows: [aRow()], document_ids: [await aDocument(stage, { status: "processing" })] }),
      "document_ids.0",
    ],
    ["a member that is none", () => ({ rows: [aRow()], colour: 1 }), "colour"],
  ])("%s is 422", async (_, body, field) => {
    const id = await aTemplate(stage);
    const before = await countOf(stage);
    const answer = await bulk(stage, id, await body());
    expectError(answer, 422, "invalid_request");
    expect(answer.body.fields.map((each: { field: string }) => each.field)).toEqual([field]);
    expect(await countOf(stage)).toBe(before);
  });

  test("403 plan_feature_required:bulk_send below Growth, after 422; applying to one is on every plan", async () => {
    const free = await openBulkStage(selo, "test", { plan: "free" });
    const id = await aTemplate(free);
    expectError(await bulk(free, id, { rows: [] }), 422, "invalid_request");
    expectError(await bulk(free, id, { rows: [aRow()] }), 403, "plan_feature_required:bulk_send");
    expect((await ask(free, "POST", `/templates/${id}/apply`, aRow())).status).toBe(201);
    expect(await countOf(free)).toBe(1);
  });

  test("403 missing_scope without templates:write, which alone may send; 404 for an unknown template", async () => {
    const organization = await selo.newOrganization({ plan: "growth" });
    const own = { selo, tenantId: organization.id, environment: "test" as const, token: organization.test };
    const documentId = await aDocument(own);
    const id = await aTemplate(own);
    const reader = { selo, token: await organization.token("test", ["templates:read", "envelopes:send"]) };
    expectError(await bulk(reader, id, { rows: [] }), 403, "missing_scope");
    const writer = { selo, token: await organization.token("test", ["templates:write"]) };
    const sent = await bulk(writer, id, { rows: [aRow()], document_ids: [documentId], send: true });
    expect((await read(own, sent.body.created[0])).status).toBe("sent");
    expectError(await bulk(stage, id, { rows: [aRow()] }), 404, "not_found");
    expectError(await bulk(stage, randomUUID(), { rows: [aRow()] }), 404, "not_found");
  });

  test("413 for a body over 2 MiB; one of 100 rows of long texts is taken", async () => {
    const id = await aTemplate(stage);
    const long = (length: number) => [
      aRow({ name: "n".repeat(255) }, { title: "t".repeat(255), padding: "p".repeat(length) }),
    ];
    expectError(await bulk(stage, id, { rows: long(2_097_152) }), 413, "too_large");
    const rows = Array(100).fill(aRow({ name: "n".repeat(255) }, { title: "t".repeat(255) }));
    expect((await bulk(stage, id, { rows })).body.created).toHaveLength(100);
  });
});

describe("with send", () => {
  test("each envelope is out with its participants: created, sent, invited, mailed once", async () => {
    const { status, body } = await bulk(stage, await aTemplate(stage), {
      rows: [aRow({ name: "Zé" }), aRow({ email: "b@example.net" })],
      document_ids: [stage.documentId],
      send: true,
    });
    expect(status).toBe(200);
    const { rows: told } = await selo.database.admin.query(
      `select (select json_agg(mail.kind || ' ' || mail.recipient order by mail.recipient) from platform.mails as mail where mail.envelope_id = any ($1)) as mails,
         (select json_agg(event.type order by event.type) from webhooks.events as event where event.body::json ->> 'resource_id' = any ($1::text[])) as events`,
      [body.created],
    );
    expect(told).toEqual([
      {
        mails: ["envelope_invitation ana@example.net", "envelope_invitation b@example.net"],
        events: ["envelope.participant_invited", "envelope.participant_invited", "envelope.sent", "envelope.sent"],
      },
    ]);
    for (const id of body.created) {
      expect(await read(stage, id)).toMatchObject({
        status: "sent",
        verification_code: expect.any(String),
        participants: [{ status: "invited" }],
      });
      expect(await chain(stage, id)).toEqual(["envelope.created", "envelope.sent", "envelope.participant_invited"]);
      const { body: evidence } = await ask(stage, "GET", `/envelopes/${id}/evidence`);
      expect(evidence.chain).toMatchObject({ length: 3, faults: [] });
    }
    await verifyAll(selo.operator);
  });

  test("sequential: only the first participant is invited", async () => {
    const id = await aTemplate(stage, {
      signing_order: "sequential",
      participants: [{}, { name: "B", email: "b@example.net" }],
    });
    const { body } = await bulk(stage, id, { rows: [aRow()], document_ids: [stage.documentId], send: true });
    expect((await read(stage, body.created[0])).participants).toMatchObject([
      { ...ANA, status: "invited" },
      { name: "B", status: "pending" },
    ]);
  });

  test.each<[string, object, string, string]>([
    ["no signatario", { participants: [{ role: "aprovador" }] }, "envelope_not_sendable", "participants"],
    [
      "a method that needs a CPF",
      { participants: [{ auth_method: "cpf" }] },
      "envelope_not_sendable",
      "recipients.1.cpf",
    ],
    [
      "a method that needs a CPF or digits of the SSN",
      { participants: [{}, { ...ANA, auth_method: "kba" }] },
      "envelope_not_sendable",
      "participants.1.cpf",
    ],
    [
      "a modality that is not available",
      { participants: [{ modality: "qualificada" }] },
      "auth_method_unavailable",
      "recipients.1.modality",
    ],
  ])("a template with %s leaves no draft", async (_, template, message, field) => {
    const id = await aTemplate(stage, template);
    const before = await countOf(stage);
    const body = { rows: [aRow(), aRow({ phone: "+5511987654321" })], document_ids: [stage.documentId] };
    const answer = await bulk(stage, id, { ...body, send: true });
    expect(answer.body.created).toEqual([]);
    expect(answer.body.errors).toMatchObject([
      { index: 0, message },
      { index: 1, message },
    ]);
    expect(answer.body.errors[0].fields.map((each: { field: string }) => each.field)).toContain(field);
    expect(await countOf(stage)).toBe(before);
    expect((await bulk(stage, id, body)).body.created).toHaveLength(2);
  });

  test("live: rows are paid in their order; each row is tried, and those beyond the credits make nothing", async () => {
    const live = await openBulkStage(selo, "live", { credits: 5 });
    const two = await aTemplate(live, { participants: [{}, { name: "B", email: "b@example.net" }] });
    const { body } = await bulk(live, two, {
      rows: [aRow(), {}, aRow(), aRow(), aRow({ email: "x" })],
      document_ids: [live.documentId],
      send: true,
    });
    expect(body.created).toHaveLength(2);
    expect(body.errors).toEqual([
      { index: 1, message: "template_participant_missing_recipient", fields: expect.any(Array) },
      { index: 3, message: "insufficient_credits" },
      { index: 4, message: "invalid_request", fields: expect.any(Array) },
    ]);
    expect([await balance(live), await countOf(live)]).toEqual([1, 2]);
    const free = await aTemplate(live, {
      participants: [{ role: "aprovador" }, { role: "signatario", name: "B", email: "b@example.net" }],
    });
    const rest = await bulk(live, free, { rows: [aRow(), aRow()], document_ids: [live.documentId], send: true });
    expect(rest.body.errors).toEqual([{ index: 1, message: "insufficient_credits" }]);
    expect(await balance(live)).toBe(0);
    await verifyAll(selo.operator);
  });

  test("live without send costs nothing", async () => {
    const live = await openBulkStage(selo, "live", { credits: 0 });
    const { body } = await bulk(live, await aTemplate(live), { rows: [aRow()], document_ids: [live.documentId] });
    expect(body.created).toHaveLength(1);
  });
});

test("any roster and recipients: apply and a bulk of one agree", async () => {
  const place = fc.integer({ min: 1, max: 3 });
  const what = {
    order_index: place,
    role: fc.constantFrom("signatario", "aprovador", "testemunha", "observador"),
    auth_method: fc.constantFrom("email", "otp_email", "cpf", "kba"),
    modality: fc.constantFrom("simples", "avancada", "qualificada"),
  };
  const optional = { requiredKeys: [] };
  const member = fc.oneof(
    fc.record({ ...what, name: fc.constantFrom("Known", "Other") }, optional),
    fc
      .record({ ...what, email: fc.constantFrom("a@example.com", "b@example.com") }, optional)
      .map((each) => ({ name: "K", ...each })),
  );
  const recipient = fc.record(
    {
      order_index: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom<string>("Ana", "<b>Bia</b>", "a\r\nb", "\u202eana"),
      email: fc.constantFrom<string>("x@example.net", "x@example.net", "y@example.net", "x"),
      cpf: fc.constantFrom(CPF, CPF, "1"),
      ssn_last4: fc.constantFrom("1234", null),
      phone: fc.constantFrom<string | null>("+5511987654321", null),
    },
    { requiredKeys: ["order_index"] },
  );
  const template = fc.record(
    {
      title: fc.constantFrom("Title", null),
      message: fc.constantFrom("Please\nsign", null),
      signing_order: fc.constantFrom("parallel", "mixed"),
      language: fc.constantFrom("en", "pt-BR", null),
      expires_in_days: fc.constantFrom(1, 365, null),
    },
    optional,
  );
  const title = fc.constantFrom(undefined, null, "Mine", "a\u202eb");
  // Ids and instants are those of the envelope alone.
  const told = ({ id, created_at, updated_at, participants, ...envelope }: Record<string, unknown>) => ({
    ...envelope,
    participants: (participants as Record<string, unknown>[]).map(({ id, ...participant }) => participant),
  });
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      template,
      fc.array(member, { maxLength: 4 }),
      fc.array(recipient, { maxLength: 4 }),
      title,
      async (given, participants, recipients, title) => {
        const id = await aTemplate(stage, { ...given, participants });
        const row = { recipients, ...(title === undefined ? {} : { title }) };
        const alone = await ask(stage, "POST", `/templates/${id}/apply`, row);
        const { body } = await bulk(stage, id, { rows: [row] });
        if (alone.status === 201) {
          expect(body.errors).toEqual([]);
          expect(told(await read(stage, body.created[0]))).toEqual(told(alone.body));
        } else {
          const { code } = alone.body.detail;
          expect(body).toEqual({ created: [], errors: [{ index: 0, message: code, fields: alone.body.fields }] });
        }
        outcomes.add(alone.status === 201 ? "made" : alone.body.detail.code);
      },
    ),
    { numRuns: 60, examples: [[{}, [{}], [{ order_index: 1, ...ANA, cpf: CPF, phone: null }], undefined]] },
  );
  expect([...outcomes].sort()).toEqual(["invalid_request", "made", "template_participant_missing_recipient"]);
});

describe("a repeated call", () => {
  test("with one Idempotency-Key makes nothing twice, also two at once", async () => {
    const id = await aTemplate(stage);
    const body = { rows: [aRow({ cpf: CPF }), {}], document_ids: [stage.documentId], send: true };
    const before = await countOf(stage);
    const idempotencyKey = randomUUID();
    const once = () =>
      call(selo, "POST", `/templates/${id}/bulk`, {
        token: stage.token,
        body,
        headers: { "idempotency-key": idempotencyKey },
      });
    const [one, other] = await Promise.all([once(), once()]);
    const third = await once();
    expect(one.status).toBe(200);
    expect([other.text, third.text]).toEqual([one.text, one.text]);
    expect(await countOf(stage)).toBe(before + 1);
    const { rows } = await selo.database.admin.query("select from platform.mails where envelope_id = $1", [
      one.body.created[0],
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe("statements do not grow with rows", () => {
  /** What a row is asked for by the statements that judge, make and tell all of them: each is a function of SQL that reads and cannot write. */
  const LOOK_UPS = {
    draft: ["envelope_record", "envelope_state"],
    sent: [
      "due_participants",
      "envelope_cost",
      "envelope_event",
      "envelope_record",
      "envelope_state",
      "participant_mail",
    ],
  };
  interface Statement {
    readonly text: string;
    readonly isWriting: boolean;
    readonly isReading: boolean;
  }
  let client: pg.Client;
  const seen: Statement[] = [];
  beforeAll(async () => {
    client = new pg.Client({ connectionString: selo.database.adminUrl });
    await client.connect();
    client.on("notice", ({ message = "" }) => {
      const plan = /\n[^\n]*\(cost=[\s\S]*$/.exec(message)?.[0] ?? "";
      const text = message.replace(plan, "").replace(/^[\s\S]*?Query Text:\s*/, "");
      seen.push({
        // Without its values.
        text: text.replace(/\s*Query Parameters:[\s\S]*/, "").trim(),
        isWriting: /^\s*(?:->\s*)?(?:Insert|Update|Delete|Merge|LockRows)\b/m.test(plan),
        isReading: /\b(?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan\b/.test(plan),
      });
    });
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
      set auto_explain.log_nested_statements = on; set auto_explain.log_level = notice; set client_min_messages = notice`);
  });
  afterAll(() => client?.end());

  /** How often each statement ran, those within functions too. */
  async function ran(id: string, count: number, send: boolean): Promise<Map<string, Statement & { times: number }>> {
    seen.length = 0;
    const { rows } = await client.query<{ body: string }>(
      "select body from gateway.call(sha256(convert_to($1, 'UTF8')), 'apply_template_in_bulk', $2)",
      [stage.token, { id, rows: Array(count).fill(aRow()), document_ids: [stage.documentId], send }],
    );
    expect(JSON.parse(rows[0]?.body ?? "null").answer.created).toHaveLength(count);
    const all = new Map<string, Statement & { times: number }>();
    for (const each of seen) all.set(each.text, { ...each, times: (all.get(each.text)?.times ?? 0) + 1 });
    return all;
  }

  test.each([
    ["draft", false],
    ["sent", true],
  ] as const)("%s: what is counted is every statement, also within functions", async (what, send) => {
    const id = await aTemplate(stage);
    // The first call plans, and notes the use of the token.
    await ran(id, 2, send);
    const few = await ran(id, 2, send);
    const many = await ran(id, 20, send);
    const texts = [...few.keys()].join("\n");
    for (const table of ["signature.envelopes", "signature.participants", "platform.audit_events"])
      expect(texts).toContain(`insert into ${table}`);
    if (send)
      for (const table of ["webhooks.events", "platform.mails"]) expect(texts).toContain(`insert into ${table}`);
    const grown = [...many.values()].filter(({ text, times }) => times - (few.get(text)?.times ?? 0) >= 18);
    // Postgres itself compares each row with the rows that its foreign keys name.
    const own = grown.filter(({ text }) => !text.startsWith("SELECT 1 FROM ONLY "));
    expect(own.filter(({ isWriting }) => isWriting)).toEqual([]);
    const { rows } = await selo.database.admin.query<{ name: string }>(
      `select distinct function.proname as name from unnest($1::text[]) as statement (text)
       left join pg_proc as function on position(statement.text in function.prosrc) > 0 and function.provolatile <> 'v' order by 1`,
      [own.filter(({ isReading }) => isReading).map(({ text }) => text)],
    );
    expect(rows.map(({ name }) => name)).toEqual(LOOK_UPS[what]);
  });
});

test("GraphQL: rows as in REST", async () => {
  const id = await aTemplate(stage, { participants: [{ order_index: 3 }] });
  const { data, errors } = await graphql(
    selo,
    stage.token,
    "mutation($input: ApplyTemplateInBulkInput!) { applyTemplateInBulk(input: $input) { created errors { index message fields { field message } } } }",
    {
      input: {
        id,
        rows: [{ recipients: [{ orderIndex: 3, ...ANA, ssnLast4: "1234" }] }, {}],
        documentIds: [stage.documentId],
        send: true,
      },
    },
  );
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    applyTemplateInBulk: {
      created: [expect.any(String)],
      errors: [
        {
          index: 1,
          message: "template_participant_missing_recipient",
          fields: [{ field: "recipients.3", message: expect.any(String) }],
        },
      ],
    },
  });
});
