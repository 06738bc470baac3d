// POST /templates/{id}/bulk: an envelope for each row, sent or not. signature-service §4 (bulk rules), §7, §8.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTurns } from "../../../src/services/signature/templates/in-turns.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { ANA, aRow, aTemplate, balance, bulk, openBulkStage } from "./bulk-stage.ts";
import { aDocument, ask, CPF, type EnvelopeStage, read } from "./envelope-stage.ts";
import { chain, inbox, send } from "./sending-stage.ts";

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
      "a method that is not available",
      { participants: [{}, { ...ANA, auth_method: "kba" }] },
      "auth_method_unavailable",
      "participants.1.auth_method",
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

  test("any rows and any balance: credits taken equal envelopes sent", async () => {
    const kinds = fc.constantFrom("right", "missing", "wrong", "surplus");
    const rowOf = { right: aRow(), missing: {}, wrong: aRow({ email: "x" }), surplus: aRow({ order_index: 2 }) };
    const live = await openBulkStage(selo, "live", { credits: 0 });
    const id = await aTemplate(live);
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 8 }), fc.nat(6), async (rows, credits) => {
        if (credits > 0) await selo.operator.grantCredits(live.tenantId, "signature", credits);
        const before = await balance(live);
        const right = rows.flatMap((kind, index) => (kind === "right" ? [index] : []));
        const { body } = await bulk(live, id, {
          rows: rows.map((kind) => rowOf[kind]),
          document_ids: [live.documentId],
          send: true,
        });
        const paid = Math.min(before, right.length);
        expect(body.created).toHaveLength(paid);
        expect(await balance(live)).toBe(before - paid);
        const unpaid = body.errors.filter((each: { message: string }) => each.message === "insufficient_credits");
        expect(unpaid.map((each: { index: number }) => each.index)).toEqual(right.slice(paid));
        expect(body.created.length + body.errors.length).toBe(rows.length);
      }),
      { numRuns: 25 },
    );
  });
});

test("any roster and recipients: apply and a bulk of one agree", async () => {
  const person = fc.record({ order_index: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] });
  const member = fc.oneof(
    person,
    fc.tuple(person, fc.constantFrom("Known", "Other")).map(([each, name]) => ({ ...each, name })),
    fc
      .tuple(person, fc.constantFrom("a@example.com", "b@example.com"))
      .map(([each, email]) => ({ ...each, name: "K", email })),
  );
  const recipient = fc.record(
    {
      order_index: fc.integer({ min: 1, max: 4 }),
      name: fc.constantFrom("Ana", "Bia"),
      email: fc.constantFrom("x@example.net", "x"),
    },
    { requiredKeys: ["order_index"] },
  );
  const told = (envelope: Record<string, unknown>) =>
    (envelope["participants"] as Record<string, unknown>[]).map(({ name, email, role, order_index }) => [
      name,
      email,
      role,
      order_index,
    ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { maxLength: 4 }),
      fc.array(recipient, { maxLength: 4 }),
      async (participants, recipients) => {
        const id = await aTemplate(stage, { participants });
        const alone = await ask(stage, "POST", `/templates/${id}/apply`, { recipients });
        const { body } = await bulk(stage, id, { rows: [{ recipients }] });
        if (alone.status === 201) {
          expect(body.errors).toEqual([]);
          expect(told(await read(stage, body.created[0]))).toEqual(told(alone.body));
        } else {
          const { code } = alone.body.detail;
          expect(body).toEqual({ created: [], errors: [{ index: 0, message: code, fields: alone.body.fields }] });
        }
      },
    ),
    { numRuns: 40 },
  );
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
    const [envelopeId] = one.body.created;
    expect((await inbox(stage, envelopeId)).length).toBeLessThanOrEqual(1);
  });

  test("the number of statements that write does not grow with the rows", async () => {
    const id = await aTemplate(stage);
    const client = new pg.Client({ connectionString: selo.database.adminUrl });
    await client.connect();
    const written: string[] = [];
    client.on("notice", ({ message = "" }) => {
      const [, table] = /\b(?:Insert|Update|Delete) on (\S+)/.exec(message) ?? [];
      if (table !== undefined) written.push(table);
    });
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
      set auto_explain.log_nested_statements = on; set auto_explain.log_level = notice; set client_min_messages = notice`);
    const tables = async (count: number) => {
      written.length = 0;
      const { rows } = await client.query<{ body: string }>(
        "select body from gateway.call(sha256(convert_to($1, 'UTF8')), 'apply_template_in_bulk', $2)",
        [stage.token, { id, rows: Array(count).fill(aRow()), document_ids: [stage.documentId], send: true }],
      );
      expect(JSON.parse(rows[0]?.body ?? "null").answer.created).toHaveLength(count);
      return written.toSorted();
    };
    try {
      const ofTwo = await tables(2);
      expect(ofTwo).toContain("audit_events");
      expect(await tables(20)).toEqual(ofTwo);
    } finally {
      await client.end();
    }
  });
});

test("GraphQL: rows as in REST", async () => {
  const id = await aTemplate(stage, { participants: [{ order_index: 3 }] });
  const { data, errors } = await graphql(
    selo,
    stage.token,
    "mutation($input: ApplyTemplateInBulkInput!) { applyTemplateInBulk(input: $input) { created errors { index message fields } } }",
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
      errors: [{ index: 1, message: "template_participant_missing_recipient", fields: [{ field: "recipients.3" }] }],
    },
  });
});
