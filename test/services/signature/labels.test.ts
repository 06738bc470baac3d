// Labels themselves: names, colors, pages, and their events. Which envelopes have them: envelope-labels.test.ts.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import { ask, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { aLabel, labelsOf, nameOfLabel } from "./label-stage.ts";

let selo: TestGateway;
/** Anew for each test. */
let stage: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway();
});
beforeEach(async () => {
  stage = await openStage(selo);
});
afterAll(() => selo.stop());

describe("POST /labels", () => {
  test("creates a label, which GET /labels/{id} reads", async () => {
    const { status, body } = await ask(stage, "POST", "/labels", { name: "Urgent", color: "#D92D20" });
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), name: "Urgent", color: "#d92d20", created_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await ask(stage, "GET", `/labels/${body.id}`)).body).toEqual(body);
    expect(Object.keys(body)).toEqual(["id", "name", "color", "created_at"]);
    expect((await ask(stage, "POST", "/labels", { name: "Plain" })).body.color).toBe(null);
    expect((await ask(stage, "POST", "/labels", { name: "Null", color: null })).body.color).toBe(null);
  });

  test.each([
    ["a letter", "a", "a"],
    ["sixty letters", "ã".repeat(60), "ã".repeat(60)],
    ["space at its ends, which is removed", "\t Two  words \u00a0", "Two  words"],
    ["an emoji", "🔥 hot", "🔥 hot"],
  ])("takes a name of %s", async (_, name, kept) => {
    expect((await ask(stage, "POST", "/labels", { name })).body.name).toBe(kept);
  });

  test.each([
    ["none", undefined, "is required"],
    ["null", null, expect.anything()],
    ["empty", "", "must not be empty"],
    ["sixty-one letters", "ã".repeat(61), "must have at most 60 characters"],
    ["space alone", " \u00a0\t", "must not be blank"],
    ["wide space alone", "\u3000", "must not be blank"],
    ["a line break", "a\nb", "must not have line breaks or other control characters"],
    ["a turned direction", "a\u202eb", "must not have characters that turn the direction of writing"],
    ["a hidden character", "a\u2060b", "must not have characters that cannot be seen"],
  ])("refuses a name: %s", async (_, name, message) => {
    const answer = await ask(stage, "POST", "/labels", { name });
    expectError(answer, 422, "invalid_request");
    expect(answer.body.fields).toEqual([{ field: "name", message }]);
  });

  test.each(["", "red", "#fff", "#12345g", "d92d20", "#d92d2\n", "#d92d20 ", "#d92d2000"])(
    "refuses the color %j",
    async (color) => {
      const answer = await ask(stage, "POST", "/labels", { name: "Urgent", color });
      expectError(answer, 422, "invalid_request");
      const message = color.length > 7 ? "must have at most 7 characters" : "must have the form #rrggbb";
      expect(answer.body.fields).toEqual([{ field: "color", message }]);
    },
  );

  test.each([
    ["Urgent", "URGENT"],
    ["ação", "AÇÃO"],
    ["an accent written apart", "AN ACCENT WRITTEN APART"],
    ["cafe\u0301", "CAFÉ"],
    ["Straße", "STRAẞE"],
    ["ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"],
    ["Ёлка", "ёЛКА"],
    ["info", "  INFO "],
  ])("takes %j and %j for one name: 409", async (first, second) => {
    expect((await ask(stage, "POST", "/labels", { name: first })).status).toBe(201);
    expectError(await ask(stage, "POST", "/labels", { name: second }), 409, "conflict");
  });

  test.each([
    // Letters are folded one by one.
    ["Straße", "STRASSE"],
    // Accents count.
    ["acao", "ação"],
    // Neither letter of Turkish is i: which letters belong together depends on the language there.
    ["izin", "ızın"],
    ["izin", "İZİN"],
    ["two words", "two  words"],
    ["ﬁne", "fine"],
  ])("takes %j and %j for two names", async (first, second) => {
    for (const name of [first, second]) expect((await ask(stage, "POST", "/labels", { name })).status).toBe(201);
  });

  test("one name may be in both environments, and with two organizations", async () => {
    const { selo: gateway } = stage;
    const organization = await gateway.newOrganization();
    for (const token of [stage.token, organization.live, organization.test])
      expect((await ask({ selo: gateway, token }, "POST", "/labels", { name: "Urgent" })).status).toBe(201);
  });

  test("makes the two hundredth label of an environment, and answers 409 to the next", async () => {
    await selo.database.admin.query(
      "insert into signature.labels (tenant_id, environment, name, name_key) select $1, 'test', 'label ' || number, 'label ' || number from generate_series(1, 199) as number",
      [stage.tenantId],
    );
    await aLabel(stage, "the last");
    const refused = await ask(stage, "POST", "/labels", { name: "one too many" });
    expectError(refused, 409, "conflict");
    const list = await ask(stage, "GET", "/labels?limit=200");
    expect([list.body.total, list.body.items.length, list.body.next_cursor]).toEqual([200, 200, null]);
  });
});

test("names are folded as the simple case folding of Unicode folds them, each cased letter of it", async () => {
  const letters = Array.from({ length: 0x1e950 }, (_, code) => code)
    .filter((code) => code > 0x40 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.normalize("NFC") === letter);
  const others = (letter: string) =>
    [letter.toUpperCase(), letter.toLowerCase(), letter.toUpperCase().toLowerCase()].filter(
      (other) => other !== letter && other.normalize("NFC") === other && [...other].length === 1,
    );
  // JavaScript folds so where it ignores case in Unicode mode.
  const pairs = letters.flatMap((letter) =>
    others(letter).map((other) => ({ letter, other, isOne: new RegExp(`^${letter}$`, "iu").test(other) })),
  );
  expect(pairs.length).toBeGreaterThan(2_800);
  const { rows } = await selo.database.admin.query(
    `select pair ->> 'letter' as letter, pair ->> 'other' as other from jsonb_array_elements($1::jsonb) as pair
     where (signature.label_key(pair ->> 'letter') = signature.label_key(pair ->> 'other')) <> (pair ->> 'isOne')::boolean`,
    [JSON.stringify(pairs)],
  );
  expect(rows).toEqual([]);
});

describe("PATCH /labels/{id}", () => {
  test("changes the given members alone, and null removes the color", async () => {
    const { id } = await aLabel(stage, "Urgent", "#d92d20");
    const change = async (body: object) => {
      const { status, body: label } = await ask(stage, "PATCH", `/labels/${id}`, body);
      return [status, label.name, label.color];
    };
    expect(await change({ name: " Late " })).toEqual([200, "Late", "#d92d20"]);
    expect(await change({ color: "#00FF00" })).toEqual([200, "Late", "#00ff00"]);
    expect(await change({})).toEqual([200, "Late", "#00ff00"]);
    expect(await change({ color: null })).toEqual([200, "Late", null]);
    expect(await change({ name: "LATE" })).toEqual([200, "LATE", null]);
  });

  test("refuses the name of another label, and what POST refuses", async () => {
    const { id } = await aLabel(stage, "Urgent");
    await aLabel(stage, "Late");
    expectError(await ask(stage, "PATCH", `/labels/${id}`, { name: "LATE" }), 409, "conflict");
    for (const body of [{ name: null }, { name: "" }, { name: "a".repeat(61) }, { name: " " }, { color: "" }])
      expectError(await ask(stage, "PATCH", `/labels/${id}`, body), 422, "invalid_request");
    expect(await nameOfLabel(stage, id)).toBe("Urgent");
  });
});

test("what is not there is 404: another's, of another environment, removed, never made", async () => {
  const organization = await selo.newOrganization();
  const live = { ...stage, token: organization.live };
  const { id: foreign } = await aLabel(live, "Urgent");
  const { id: removed } = await aLabel(stage, "Late");
  expect((await ask(stage, "DELETE", `/labels/${removed}`)).status).toBe(204);
  const otherEnvironment = { ...stage, token: organization.test };
  for (const [own, id] of [
    [stage, foreign],
    [otherEnvironment, foreign],
    [stage, removed],
    [stage, randomUUID()],
  ] as const)
    for (const [method, body] of [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"]] as const)
      expectError(await ask(own, method, `/labels/${id}`, body), 404, "not_found");
  expect(await nameOfLabel(live, foreign)).toBe("Urgent");
});

describe("GET /labels", () => {
  const names = ["água", "Banana", "apple", "Zebra", "apricot", "ÁGUA 2"];
  /** By Unicode's order of folded letters. */
  const sorted = ["apple", "apricot", "Banana", "Zebra", "água", "ÁGUA 2"];

  test("pages go by name without regard to case, by cursor and by offset", async () => {
    for (const name of names) await aLabel(stage, name);
    const all = await ask(stage, "GET", "/labels");
    expect(labelsOf(all.body)).toEqual(sorted);
    expect(all.body).toMatchObject({ total: 6, limit: 50, offset: 0, next_cursor: null });
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await ask(stage, "GET", `/labels?limit=4${cursor}`);
      paged.push(...labelsOf(body));
      if (body.next_cursor === null) break;
      // A label that comes before the page shifts nothing.
      if (cursor === "") await aLabel(stage, "aardvark");
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(paged).toEqual(sorted);
    expect(labelsOf((await ask(stage, "GET", "/labels?limit=2&offset=1")).body)).toEqual(["apple", "apricot"]);
    expect((await ask(stage, "GET", "/labels?limit=1&fields=name,color")).body.items).toEqual([
      { name: "aardvark", color: null },
    ]);
  });

  test("a cursor of a label that was removed meanwhile is refused, and holds no name", async () => {
    const { id } = await aLabel(stage, "a");
    await aLabel(stage, "b");
    const { next_cursor } = (await ask(stage, "GET", "/labels?limit=1")).body;
    expect(Buffer.from(next_cursor, "base64url").toString()).toBe(`list_labels ${id}`);
    await ask(stage, "DELETE", `/labels/${id}`);
    const { status, body } = await ask(stage, "GET", `/labels?limit=1&cursor=${next_cursor}`);
    expect([status, body.fields[0].field]).toEqual([422, "cursor"]);
  });
});

test("the events of a label stand on its own chain, without its name", async () => {
  const { id } = await aLabel(stage, "Customer Souza", "#d92d20");
  await ask(stage, "PATCH", `/labels/${id}`, { name: "Customer Lima" });
  await ask(stage, "PATCH", `/labels/${id}`, {});
  await ask(stage, "DELETE", `/labels/${id}`);
  const { body, text } = await ask(stage, "GET", `/audit?subject_id=${id}`);
  const events = body.items.map(({ action, subject_type, seq }: Record<string, unknown>) => [
    action,
    subject_type,
    seq,
  ]);
  expect(events.reverse()).toEqual([
    ["label.created", "label", 1],
    ["label.changed", "label", 2],
    ["label.deleted", "label", 3],
  ]);
  expect(text).not.toMatch(/Souza|Lima/);
  expect(body.items.flatMap((event: { readonly commitments: object }) => Object.keys(event.commitments))).toEqual(
    expect.arrayContaining(["name"]),
  );
});

test("GraphQL has all of it", async () => {
  const said = async (document: string) => {
    const { data, errors } = await graphql(selo, stage.token, document);
    expect(errors ?? []).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    return data as any;
  };
  const LABEL = "{ id name color createdAt }";
  const { label } = (await said(`mutation { createLabel(input: {name: "b", color: "#D92D20"}) { label ${LABEL} } }`))
    .createLabel;
  expect(label).toMatchObject({ name: "b", color: "#d92d20" });
  expect((await said(`{ label(id: "${label.id}") ${LABEL} }`)).label).toEqual(label);
  for (const name of ["c", "A"]) await aLabel(stage, name);
  const page = (await said(`{ labels(first: 2) { nodes { name } totalCount pageInfo { hasNextPage endCursor } } }`))
    .labels;
  expect(page).toMatchObject({ nodes: [{ name: "A" }, { name: "b" }], totalCount: 3, pageInfo: { hasNextPage: true } });
  const next = await said(`{ labels(first: 2, after: "${page.pageInfo.endCursor}") { nodes { name } } }`);
  expect(next.labels.nodes).toEqual([{ name: "c" }]);
  const changed = await said(
    `mutation { updateLabel(input: {id: "${label.id}", name: "d", color: null}) { label { name color } } }`,
  );
  expect(changed.updateLabel.label).toEqual({ name: "d", color: null });
  const { errors } = await graphql(selo, stage.token, `mutation { createLabel(input: {name: "D"}) { label { id } } }`);
  expect(errors[0]?.extensions.code).toBe("conflict");
  expect((await said(`mutation { deleteLabel(input: {id: "${label.id}"}) { done } }`)).deleteLabel.done).toBe(true);
  expect((await said(`{ label(id: "${label.id}") { id } }`)).label).toBe(null);
});
