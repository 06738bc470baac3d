// Which envelopes have which labels: PUT /envelopes/{id}/labels, GET /envelopes?label_id=, what verifications find, and requests that meet each other.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { whileTampered } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { anEnvelope, aSendable, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aLabel, put } from "./label-stage.ts";
import { reportOf } from "./report-stage.ts";
import { aSent, chain } from "./sending-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
/** Labels by name. */
const labels: Record<string, string> = {};
const label = (name: string): string => labels[name] ?? "";
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  for (const name of ["urgent", "Rent", "archive"]) labels[name] = (await aLabel(stage, name, "#00ff00")).id;
});
afterAll(() => selo.stop());

/** What a verification finds of labels and envelopes. */
const faults = async () =>
  (await verifyAll(selo.operator)).faults.filter(({ subject_type }) => subject_type !== "document");
const namesOf = ({ labels: had }: { readonly labels: readonly { readonly name: string }[] }) =>
  had.map(({ name }) => name);
const idOf = async (own: EnvelopeStage = stage) => (await anEnvelope(own)).id as string;
const manyLabels = async (own: EnvelopeStage, count: number): Promise<string[]> => {
  const made: string[] = [];
  for (let number = 0; number < count; number++) made.push((await aLabel(own, `${number}`)).id);
  return made;
};

describe("PUT /envelopes/{id}/labels", () => {
  test("gives an envelope these labels and no others, and answers it as GET does, with its labels by name", async () => {
    const id = await idOf();
    const first = await put(stage, id, [label("urgent"), label("Rent")]);
    expect(first.status).toBe(200);
    expect(first.body).toEqual((await ask(stage, "GET", `/envelopes/${id}`)).body);
    expect(first.body.labels[0]).toEqual((await ask(stage, "GET", `/labels/${label("Rent")}`)).body);
    expect(namesOf(first.body)).toEqual(["Rent", "urgent"]);
    expect(namesOf((await put(stage, id, [label("archive"), label("Rent")])).body)).toEqual(["archive", "Rent"]);
    expect(namesOf((await put(stage, id, [])).body)).toEqual([]);
  });

  test("an envelope has at most twenty labels", async () => {
    const own = await openStage(selo);
    const id = await idOf(own);
    const all = await manyLabels(own, 21);
    expect((await put(own, id, all.slice(1))).body.labels).toHaveLength(20);
    const refused = await put(own, id, all);
    expectError(refused, 422, "invalid_request");
    expect(refused.body.fields).toEqual([{ field: "label_ids", message: "must have 0 to 20 entries" }]);
    expect((await read(own, id)).labels).toHaveLength(20);
  });

  test("a draft, a ready, a sent and a cancelled envelope take labels, and stay what they are", async () => {
    const draft = await idOf();
    const ready = (await aSendable(stage)).id;
    const sent = (await aSent(stage)).id;
    const cancelled = (await aSent(stage)).id;
    await ask(stage, "POST", `/envelopes/${cancelled}/cancel`, {});
    for (const [id, status] of [
      [draft, "draft"],
      [ready, "ready"],
      [sent, "sent"],
      [cancelled, "cancelled"],
    ] as const) {
      const { body } = await put(stage, id, [label("Rent")]);
      expect([body.status, namesOf(body)]).toEqual([status, ["Rent"]]);
    }
  });

  test("what no label of the context has is refused by its place, and nothing changes", async () => {
    const id = await idOf();
    await put(stage, id, [label("Rent")]);
    const organization = await selo.newOrganization();
    const foreign = (await aLabel({ selo, token: organization.live }, "foreign")).id;
    const other = { ...stage, token: organization.test };
    const wrong = "must be the id of a label";
    for (const [own, ids, fields] of [
      [stage, [label("urgent"), foreign], [{ field: "label_ids.1", message: wrong }]],
      [stage, [randomUUID(), label("urgent")], [{ field: "label_ids.0", message: wrong }]],
      [stage, [label("urgent"), label("urgent")], [{ field: "label_ids.1", message: "must not be there twice" }]],
      [stage, ["urgent"], [{ field: "label_ids.0", message: "must be a UUID" }]],
      [stage, [null], [{ field: "label_ids.0", message: expect.any(String) }]],
    ] as const) {
      const answer = await put(own, id, ids);
      expectError(answer, 422, "invalid_request");
      expect(answer.body.fields).toEqual(fields);
    }
    // Of the same organization, and of the other environment.
    const ofTest = await idOf(other);
    expectError(await put(other, ofTest, [foreign]), 422, "invalid_request");
    expectError(await ask(stage, "PUT", `/envelopes/${id}/labels`, {}), 422, "invalid_request");
    expectError(await ask(stage, "PUT", `/envelopes/${id}/labels`, { label_ids: null }), 422, "invalid_request");
    for (const envelope of [ofTest, randomUUID()])
      expectError(await put(stage, envelope, [label("Rent")]), 404, "not_found");
    expect(namesOf(await read(stage, id))).toEqual(["Rent"]);
  });

  test("each change is an event of its label, and none of the envelope: no evidence has labels", async () => {
    const own = await openStage(selo);
    const { id } = await aSendable(own);
    const before = await ask(own, "GET", `/envelopes/${id}/evidence`);
    const made = await chain(own, id);
    const [first = "", second = ""] = [(await aLabel(own, "Souza")).id, (await aLabel(own, "Lima")).id];
    await put(own, id, [first]);
    await put(own, id, [first]);
    await put(own, id, [second]);
    await ask(own, "PATCH", `/labels/${second}`, { name: "Lima & Souza" });
    expect(await chain(own, first)).toEqual(["label.created", "label.attached", "label.detached"]);
    expect(await chain(own, second)).toEqual(["label.created", "label.attached", "label.changed"]);
    expect(await chain(own, id)).toEqual(made);
    const { items } = (await ask(own, "GET", `/audit?subject_id=${first}`)).body;
    expect(items[1].details).toEqual({ envelope_id: id });
    const after = await ask(own, "GET", `/envelopes/${id}/evidence`);
    expect(after.body).toEqual(before.body);
    expect(after.text).not.toMatch(/label|Souza|Lima/i);
    expect(await faults()).toEqual([]);
  });
});

test("a completed envelope takes labels, and neither its report nor its public page changes", async () => {
  const own = await openStage(selo);
  const worker = workerOf(own);
  try {
    const { id, links } = await sentWith(own);
    expect((await complete(own, links[0])).status).toBe(200);
    await completing(own, id, worker);
    const { verification_code } = await read(own, id);
    const told = async () => [
      (await reportOf(own, id)).bytes.toString("base64"),
      (await reportOf(own, id, { accept: "application/json" })).text,
      (await call(selo, "GET", `/public/envelopes/${verification_code}`)).text,
    ];
    const before = await told();
    const marked = await put(own, id, [(await aLabel(own, "Souza")).id]);
    expect([marked.body.status, namesOf(marked.body)]).toEqual(["completed", ["Souza"]]);
    expect(await told()).toEqual(before);
  } finally {
    await worker.end();
  }
});

test("DELETE /labels/{id} takes the label from its envelopes, and leaves them and their other labels", async () => {
  const own = await openStage(selo);
  const [gone = "", stays = ""] = await manyLabels(own, 2);
  const [one, two] = [await idOf(own), await idOf(own)];
  await put(own, one, [gone, stays]);
  await put(own, two, [gone]);
  expect((await ask(own, "DELETE", `/labels/${gone}`)).status).toBe(204);
  expect([namesOf(await read(own, one)), namesOf(await read(own, two))]).toEqual([["1"], []]);
  expect((await ask(own, "GET", `/envelopes?label_id=${gone}`)).body).toMatchObject({ items: [], total: 0 });
  expectError(await put(own, two, [gone]), 422, "invalid_request");
});

test("a draft that is removed leaves its labels, which then have one envelope less", async () => {
  const own = await openStage(selo);
  const [id = ""] = await manyLabels(own, 1);
  const [one, two] = [await idOf(own), await idOf(own)];
  for (const envelope of [one, two]) await put(own, envelope, [id]);
  expect((await ask(own, "DELETE", `/envelopes/${one}`)).status).toBe(204);
  const { body } = await ask(own, "GET", `/envelopes?label_id=${id}`);
  expect(body.items.map((item: { readonly id: string }) => item.id)).toEqual([two]);
  expect(await faults()).toEqual([]);
});

describe("selo audit verify finds an edit of which labels an envelope has", () => {
  const ROWS = "signature.envelope_labels";
  test.each([
    ["a label that was taken away", `delete from ${ROWS} where envelope_id = $1`, ["has lost the label"]],
    [
      "a label that was given",
      `insert into ${ROWS} (tenant_id, environment, label_id, envelope_id) select tenant_id, environment, $2, envelope_id from ${ROWS} where envelope_id = $1`,
      ["has the label, and no event says so"],
    ],
    [
      "another label",
      `update ${ROWS} set label_id = $2 where envelope_id = $1`,
      ["has lost the label", "has the label, and no event says so"],
    ],
  ])("%s", async (_, edit, expected) => {
    const own = await openStage(selo);
    const [had = "", other = ""] = await manyLabels(own, 2);
    const id = await idOf(own);
    await put(own, id, [had]);
    const values = edit.includes("$2") ? [id, other] : [id];
    const found = await whileTampered(selo.database, [ROWS], [[edit, values]], async () =>
      (await faults()).map(({ check_name, fault }) => [check_name, fault]),
    );
    expect(found.sort()).toEqual(expected.map((fault) => ["envelope_labels", `the envelope ${id} ${fault}`]).sort());
  });
});

describe("GET /envelopes?label_id=", () => {
  let own: EnvelopeStage;
  let wanted: string;
  /** Newest first. */
  const ids: string[] = [];
  const found = async (query: string) => {
    const { body } = await ask(own, "GET", `/envelopes?label_id=${wanted}${query}`);
    return body.items.map(({ id }: { readonly id: string }) => ids.indexOf(id));
  };
  beforeAll(async () => {
    own = await openStage(selo);
    const [first = "", second = ""] = await manyLabels(own, 2);
    wanted = first;
    for (let turn = 0; turn < 6; turn++) {
      const { id } = turn % 2 === 0 ? await aSendable(own, { title: `Order ${turn}` }) : await anEnvelope(own);
      ids.unshift(id);
      await put(own, id, turn === 5 ? [second] : [second, first]);
    }
  });

  test.each([
    ["", [1, 2, 3, 4, 5]],
    ["&status=ready", [1, 3, 5]],
    ["&status=draft", [2, 4]],
    ["&status=sent", []],
    ["&search=order", [1, 3, 5]],
    ["&search=MARIA@example", [1, 3, 5]],
    ["&search=order%204&status=ready", [1]],
    ["&search=", [1, 2, 3, 4, 5]],
    ["&from=2000-01-01T00:00:00Z", [1, 2, 3, 4, 5]],
    ["&to=2000-01-01T00:00:00Z", []],
    ["&limit=2&offset=2", [3, 4]],
  ])("%s", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test("a page has its total, and cursors reach each envelope once", async () => {
    const seen: number[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await ask(own, "GET", `/envelopes?label_id=${wanted}&limit=2&fields=id,labels${cursor}`);
      if (cursor === "") expect(body).toMatchObject({ total: 5, limit: 2, offset: 0 });
      expect(body.items.map(namesOf)).toEqual(Array(body.items.length).fill(["0", "1"]));
      seen.push(...body.items.map(({ id }: { readonly id: string }) => ids.indexOf(id)));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test("a label that the context does not have is that of no envelope, and what is no id is refused", async () => {
    for (const id of [label("Rent"), randomUUID()])
      expect((await ask(own, "GET", `/envelopes?label_id=${id}`)).body).toMatchObject({ items: [], total: 0 });
    expectError(await ask(own, "GET", "/envelopes?label_id=urgent"), 422, "invalid_request");
  });

  test("GraphQL: envelopes(labelId:) with pages, filters, counts and a search, and the labels of each", async () => {
    const ask_ = async (args: string) =>
      answered<{
        readonly nodes: readonly { readonly id: string; readonly labels: { readonly nodes: readonly object[] } }[];
        readonly totalCount: number;
        readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
      }>(
        await graphql(
          selo,
          own.token,
          `{ envelopes(labelId: "${wanted}"${args}) { nodes { id labels(first: 20) { nodes { labelId name color } } } totalCount pageInfo { endCursor hasNextPage } } }`,
        ),
        "envelopes",
      );
    const places = ({ nodes }: { readonly nodes: readonly { readonly id: string }[] }) =>
      nodes.map(({ id }) => ids.indexOf(id));
    const first = await ask_(", first: 2");
    expect([places(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([[1, 2], 5, true]);
    expect(first.nodes[0]?.labels.nodes).toEqual([
      { labelId: wanted, name: "0", color: null },
      { labelId: expect.any(String), name: "1", color: null },
    ]);
    expect(places(await ask_(`, after: "${first.pageInfo.endCursor}"`))).toEqual([3, 4, 5]);
    expect(places(await ask_(", last: 2"))).toEqual([4, 5]);
    expect(places(await ask_(", orderBy: ID_ASC, first: 2"))).toEqual([5, 4]);
    expect(places(await ask_(", filter: {status: {equalTo: READY}}"))).toEqual([1, 3, 5]);
    expect(places(await ask_(', search: "order 4"'))).toEqual([1]);
    const wrong = await graphql(selo, own.token, '{ envelopes(labelId: "urgent") { nodes { id } } }');
    expect(wrong.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "labelId" }] });
    const all = await graphql(selo, own.token, "{ envelopes(labelId: null) { totalCount } }");
    expect(answered<{ readonly totalCount: number }>(all, "envelopes").totalCount).toBe(6);
  });

  test("GraphQL: setEnvelopeLabels answers the envelope", async () => {
    const id = await idOf(own);
    const said = (list: string) =>
      graphql(
        selo,
        own.token,
        `mutation { setEnvelopeLabels(input: {id: "${id}", labelIds: ${list}}) { envelope { id labels { nodes { name } } } } }`,
      );
    expect(answered(await said(`["${wanted}"]`), "setEnvelopeLabels")).toEqual({
      envelope: { id, labels: { nodes: [{ name: "0" }] } },
    });
    expect((await said(`["${randomUUID()}"]`)).errors[0]?.extensions).toMatchObject({ code: "invalid_request" });
    for (const wrong of ["null", '"urgent"'])
      expect((await said(`["${wanted}", ${wrong}]`)).errors[0]?.extensions).toMatchObject({
        code: "invalid_request",
        fields: [{ field: "labelIds.1", message: "must be a UUID" }],
      });
    await ask(own, "DELETE", `/envelopes/${id}`);
  });
});

describe("at the same time", () => {
  test("two lists of labels for one envelope: it has one of them whole", async () => {
    const own = await openStage(selo);
    const all = await manyLabels(own, 6);
    const id = await idOf(own);
    const [one, two] = [all.slice(0, 4), all.slice(2).reverse()];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([one, two, one, two].map((ids) => put(own, id, ids)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect([
        ["0", "1", "2", "3"],
        ["2", "3", "4", "5"],
      ]).toContainEqual(namesOf(await read(own, id)));
    }
    expect(await faults()).toEqual([]);
  });

  test("labels that are given to envelopes, taken away and removed, and envelopes that are removed", async () => {
    const own = await openStage(selo);
    for (let round = 0; round < 8; round++) {
      const [first = "", second = ""] = await manyLabels(own, 2);
      const [one, two] = [await idOf(own), await idOf(own)];
      await put(own, one, [first, second]);
      await put(own, two, [second, first]);
      const answers = await Promise.all([
        put(own, one, [second]),
        put(own, two, [first]),
        put(own, two, [second, first]),
        ask(own, "DELETE", `/labels/${first}`),
        ask(own, "DELETE", `/labels/${second}`),
        ask(own, "DELETE", `/envelopes/${one}`),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.slice(3)).toEqual([204, 204, 204]);
      // A label or the envelope may be gone before.
      for (const status of statuses.slice(0, 3)) expect([200, 404, 422]).toContain(status);
      expect((await read(own, two)).labels).toEqual([]);
    }
    const { rows } = await selo.database.admin.query("select from signature.envelope_labels where tenant_id = $1", [
      own.tenantId,
    ]);
    expect(rows).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test("an envelope that gets a label which is being removed waits, and is then told that there is none", async () => {
    const own = await openStage(selo);
    const [id = ""] = await manyLabels(own, 1);
    const envelope = await idOf(own);
    const removing = await selo.database.admin.connect();
    try {
      await removing.query("begin");
      await removing.query("delete from signature.labels where id = $1", [id]);
      const answer = put(own, envelope, [id]);
      await expect
        .poll(async () => (await removing.query("select from pg_locks where not granted")).rowCount, {
          timeout: 30_000,
        })
        .toBeGreaterThan(0);
      await removing.query("commit");
      expectError(await answer, 422, "invalid_request");
    } finally {
      await removing.query("rollback");
      removing.release();
    }
  });

  test("a label that an envelope loses is not removed meanwhile: its chain ends with its removal", async () => {
    const own = await openStage(selo);
    const [id = ""] = await manyLabels(own, 1);
    const envelope = await idOf(own);
    await put(own, envelope, [id]);
    const losing = await selo.database.admin.connect();
    try {
      await losing.query("begin");
      await losing.query("select gateway.call(sha256(convert_to($1, 'UTF8')), 'set_envelope_labels', $2)", [
        own.token,
        { id: envelope, label_ids: [] },
      ]);
      const answer = ask(own, "DELETE", `/labels/${id}`);
      await expect
        .poll(async () => (await losing.query("select from pg_locks where not granted")).rowCount, { timeout: 30_000 })
        .toBeGreaterThan(0);
      await losing.query("commit");
      expect((await answer).status).toBe(204);
    } finally {
      await losing.query("rollback");
      losing.release();
    }
    expect(await chain(own, id)).toEqual(["label.created", "label.attached", "label.detached", "label.deleted"]);
  });

  test("one name is taken once, and the last free place is", async () => {
    const own = await openStage(selo);
    const [renamed = ""] = await manyLabels(own, 1);
    const taken = await Promise.all([
      ...["same", "SAME", "Same"].map((name) => ask(own, "POST", "/labels", { name })),
      ask(own, "PATCH", `/labels/${renamed}`, { name: "sAME" }),
    ]);
    expect(taken.map(({ status }) => status).filter((status) => status !== 409)).toHaveLength(1);
    await selo.database.admin.query(
      `insert into signature.labels (tenant_id, environment, name, name_key)
       select $1, 'test', 'label ' || number, 'label ' || number from generate_series(1, 199 - (select count(*) from signature.labels where tenant_id = $1)) as number`,
      [own.tenantId],
    );
    const last = await Promise.all(["a", "b", "c"].map((name) => ask(own, "POST", "/labels", { name })));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("of many envelopes, a page by label reads by the index of the label", () => {
  /** More than are counted. */
  const ENVELOPES = 10_020;
  let client: pg.Client;
  let own: EnvelopeStage;
  let many: string;
  /** Newest first. */
  let all: readonly string[];
  /** What the search's statement read, of each table. */
  let scans: Record<string, number> = {};
  beforeAll(async () => {
    own = await openStage(selo);
    const [first = "", second = ""] = await manyLabels(own, 2);
    many = first;
    await selo.database.admin.query(
      `with made as (
         insert into signature.envelopes (tenant_id, environment, title, signing_order, allow_delegation, jurisdiction, field_placement, expires_in_days)
         select $1, 'test', 'Contract ' || number, 'parallel', false, 'intl', 'report', 30 from generate_series(1, $2::integer) as number returning id
       )
       insert into signature.envelope_labels (tenant_id, environment, label_id, envelope_id)
       select $1, 'test', label.id, made.id from made, unnest($3::uuid[]) as label (id)`,
      [own.tenantId, ENVELOPES, [first, second]],
    );
    const { rows } = await selo.database.admin.query<{ id: string }>(
      "select id from signature.envelopes where tenant_id = $1 order by id desc",
      [own.tenantId],
    );
    all = rows.map(({ id }) => id);
    await selo.database.admin.query("vacuum analyze signature.envelopes, signature.envelope_labels, signature.labels");
    client = new pg.Client({ connectionString: selo.database.adminUrl });
    client.on("notice", ({ message = "" }) => {
      const json = /plan:\s*(\{.*\})\s*$/s.exec(message)?.[1];
      if (json) count((JSON.parse(json) as { readonly Plan: Plan }).Plan);
    });
    await client.connect();
    await client.query(
      "load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_format = json; set auto_explain.log_level = notice; set client_min_messages = notice",
    );
  });
  afterAll(() => client?.end());

  interface Plan {
    readonly "Relation Name"?: string;
    readonly "Actual Rows"?: number;
    readonly "Actual Loops"?: number;
    readonly "Rows Removed by Filter"?: number;
    readonly Plans?: readonly Plan[];
  }
  function count(plan: Plan): void {
    const { "Relation Name": table, "Actual Rows": rows = 0, "Rows Removed by Filter": removed = 0 } = plan;
    if (table !== undefined) scans[table] = (scans[table] ?? 0) + (rows + removed) * (plan["Actual Loops"] ?? 1);
    for (const part of plan.Plans ?? []) count(part);
  }
  const reading = async (more: string) => {
    scans = {};
    const { rowCount } = await client.query(
      `select from signature.search_envelopes($1, 'test', ${more}, p_label_id => $2)`,
      [own.tenantId, many],
    );
    return { rowCount, ...scans };
  };

  test.each([
    ["the first page", "null, null, null, null, null, 51"],
    ["from a cursor in the middle", "null, null, null, null, (select platform.uuidv7()), 51"],
    ["the oldest first", "null, null, null, null, null, 51, p_oldest_first => true"],
    ["with an empty search", "'', null, null, null, null, 51"],
  ])("%s: as many rows as it answers, and no envelope", async (_, more) => {
    expect(await reading(more)).toEqual({ rowCount: 51, labels: 1, envelope_labels: 51 });
  });

  test("a count reads each row of the label once, and no envelope", async () => {
    expect(await reading("null, null, null, null, null, 10001")).toEqual({
      rowCount: 10_001,
      labels: 1,
      envelope_labels: 10_001,
    });
  });

  test.each([
    ["within what is counted", 9_979],
    ["that ends with the last one that is counted", 9_980],
    ["across the end of what is counted", 9_990],
    ["behind it", 10_000],
    ["the last", 10_005],
    ["behind the last", 10_020],
  ])("a page %s, from %i on, has its envelopes and a cursor if there are more", async (_, offset) => {
    for (const query of [`label_id=${many}&`, ""]) {
      const { body } = await ask(own, "GET", `/envelopes?${query}limit=20&offset=${offset}&fields=id`);
      expect(body.items.map(({ id }: { readonly id: string }) => id)).toEqual(all.slice(offset, offset + 20));
      expect(body).toMatchObject({ total: 10_000, total_capped: true, offset });
      expect([offset, body.next_cursor === null]).toEqual([offset, offset + 20 >= ENVELOPES]);
      if (body.next_cursor === null) continue;
      const next = await ask(own, "GET", `/envelopes?${query}limit=20&cursor=${body.next_cursor}&fields=id`);
      expect(next.body.items[0].id).toBe(all[offset + 20]);
    }
  });
});
