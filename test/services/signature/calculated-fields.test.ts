// Fields of type calculado: formulas, what they name, and what they come to. python3 `decimal` calculates beside us.
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { complete, completing, evidenceOf } from "./completion-stage.ts";
import { aField, aParticipant, ask, type EnvelopeStage, openStage, read, withFields } from "./envelope-stage.ts";
import { inspected, proseOf, readReport, reportOf } from "./report-stage.ts";
import { act, inContext, type Link, openedLink } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

type Draft = Awaited<ReturnType<typeof withFields>>;
const WHOLE = { page: 1, x: 0.1, y: 0.1, width: 0.3, height: 0.05 };
const add = ({ id, place }: Draft, body: object) =>
  ask(stage, "POST", `/envelopes/${id}/fields`, { ...place, ...WHOLE, ...body });
const aNumber = async (draft: Draft, more: object = {}): Promise<string> =>
  (await aField(stage, draft.id, { ...draft.place, type: "numero", ...more })).id;

interface SentFormula {
  readonly id: string;
  readonly documentId: string;
  readonly link: Link;
  readonly number: string;
  readonly field: string;
}

/** An envelope with a number and a formula over it, in the words of which `{n}` is the number. */
async function sentFormula(formula: string, number: object = {}, result: object = {}): Promise<SentFormula> {
  const draft = await withFields(stage);
  const operand = await aNumber(draft, number);
  await aField(stage, draft.id, draft.place);
  const field = await aField(stage, draft.id, {
    ...draft.place,
    type: "calculado",
    formula: formula.replaceAll("{n}", `{${operand}}`),
    ...result,
  });
  return { id: draft.id, documentId: draft.documentId, link: await sendTo(draft), number: operand, field: field.id };
}

const fieldOf = async (id: string, fieldId: string) =>
  (await read(stage, id)).fields.find((field: { id: string }) => field.id === fieldId);
const resultOf = async ({ id, field }: SentFormula) => (await fieldOf(id, field)).value;

async function linkOf(id: string, participantId: string): Promise<Link> {
  const link = await openedLink(stage, id, participantId);
  if (link === null) throw new Error("nobody was invited");
  return link;
}

/** Sends an envelope; the link of its first participant. */
async function sendTo({ id, participantId }: Draft): Promise<Link> {
  const answer = await ask(stage, "POST", `/envelopes/${id}/send`);
  expect(answer.status, answer.text).toBe(200);
  return linkOf(id, participantId);
}

describe("a formula", () => {
  let draft: Draft;
  let number: string;
  beforeAll(async () => {
    draft = await withFields(stage);
    number = await aNumber(draft);
  });

  test.each([
    "{n}",
    "-{n}",
    "+-+{n} * -2",
    "  ({n}+1.5)/  3 - 0.000000000001",
    `${"(".repeat(50)}{n}${")".repeat(50)}`,
    "999999999999999999",
    `${"-".repeat(999)}1`,
  ])("%s is taken as it is written", async (words) => {
    const formula = words.replace("{n}", `{${number}}`);
    const { status, body } = await add(draft, { type: "calculado", formula });
    expect({ status, body }).toMatchObject({ status: 201, body: { type: "calculado", formula, value: null } });
  });

  test.each([
    ["nothing", " ", 2, "value"],
    ["code", "1; drop table signature.fields", 2, "no part"],
    ["a function", "pg_sleep(9)", 1, "no part"],
    ["a power", "2**3", 3, "value"],
    ["an exponent", "1e3", 2, "no part"],
    ["a comma", "1,5", 2, "no part"],
    ["a line break", "1 +\n2", 4, "no part"],
    ["a number too long", "1+1234567890123456789", 3, "18 digits"],
    ["13 decimals", "0.1234567890123", 1, "12 after"],
    ["a point alone", "1.", 2, "no part"],
    ["no operator", "2 (3)", 3, "operator"],
    ["two values", "{n}{n}", 39, "operator"],
    ["no value at the end", "1 +", 4, "value"],
    ["an empty parenthesis", "()", 2, "value"],
    ["an open parenthesis", "1+(2", 3, "not closed"],
    ["an inner open parenthesis", "((1)", 1, "not closed"],
    ["a closed parenthesis", "1)", 2, "not opened"],
    ["51 parentheses", `${"(".repeat(51)}1${")".repeat(51)}`, 51, "50"],
    ["1,000 parentheses", "(".repeat(1_000), 51, "50"],
    ["a name", "{rent}", 1, "numero"],
    ["an unknown field", "1+{00000000-0000-4000-8000-000000000000}", 3, "numero"],
  ])("%s: 422 formula, with the column", async (_, words, column, fault) => {
    const answer = await add(draft, { type: "calculado", formula: words.replaceAll("{n}", `{${number}}`) });
    expectError(answer, 422, "invalid_request", ["formula"]);
    expect(answer.body.fields[0].message).toMatch(new RegExp(`^column ${column}: .*${fault}`));
  });

  test("names no field of another envelope, of another type, and not itself", async () => {
    const other = await aNumber(await withFields(stage));
    const text = await aField(stage, draft.id, { ...draft.place, type: "texto" });
    const { body: sum } = await add(draft, { type: "calculado", formula: "1" });
    for (const id of [other, text.id, sum.id, number.toUpperCase()])
      expectError(await add(draft, { type: "calculado", formula: `2*{${id}}` }), 422, "invalid_request", ["formula"]);
  });

  test("has 1 to 1,000 characters, and stands with calculado alone", async () => {
    for (const body of [
      { type: "calculado" },
      { type: "calculado", formula: null },
      { type: "calculado", formula: "" },
      { type: "calculado", formula: "1".padEnd(1_001) },
      { type: "numero", formula: "1" },
    ])
      expectError(await add(draft, body), 422, "invalid_request", ["formula"]);
    expect((await add(draft, { type: "calculado", formula: "1".padEnd(1_000) })).status).toBe(201);
  });

  test("changes with its field, and goes with the type", async () => {
    const { body: field } = await add(draft, { type: "calculado", formula: "1" });
    const change = (body: object) => ask(stage, "PATCH", `/envelopes/${draft.id}/fields/${field.id}`, body);
    expect((await change({ x: 0.2 })).body).toMatchObject({ x: 0.2, formula: "1" });
    expect((await change({ formula: `{${number}}` })).body.formula).toBe(`{${number}}`);
    expectError(await change({ formula: "1+" }), 422, "invalid_request", ["formula"]);
    expectError(await change({ formula: null }), 422, "invalid_request", ["formula"]);
    expectError(await change({ formula: "1", type: "texto" }), 422, "invalid_request", ["formula"]);
    expect((await change({ type: "texto" })).body).toMatchObject({ type: "texto", formula: null });
    expectError(await change({ type: "calculado" }), 422, "invalid_request", ["formula"]);
    expect((await change({ type: "calculado", formula: "3" })).body.formula).toBe("3");
  });
});

describe("an operand", () => {
  const lacksOf = async ({ id }: Draft) => {
    const { status, body } = await ask(stage, "POST", `/envelopes/${id}/send`);
    return status === 200 ? null : body.fields.map(({ field }: { field: string }) => field);
  };
  const withSum = async () => {
    const draft = await withFields(stage);
    const number = await aNumber(draft);
    await aField(stage, draft.id, draft.place);
    const sum = await aField(stage, draft.id, {
      ...draft.place,
      type: "calculado",
      formula: `{${number}}+{${number}}`,
    });
    expect((await read(stage, draft.id)).status).toBe("ready");
    return { draft, number, sum };
  };

  test("that is removed, or becomes another field, keeps the envelope a draft until the formula changes", async () => {
    const { draft, number, sum } = await withSum();
    const other = await aNumber(draft);
    const path = `/envelopes/${draft.id}/fields`;
    await ask(stage, "PATCH", `${path}/${number}`, { type: "texto" });
    expect(await lacksOf(draft)).toEqual([`fields.${sum.id}.formula`]);
    await ask(stage, "PATCH", `${path}/${number}`, { type: "numero" });
    expect((await read(stage, draft.id)).status).toBe("ready");
    expect((await ask(stage, "DELETE", `${path}/${number}`)).status).toBe(204);
    expect((await read(stage, draft.id)).status).toBe("draft");
    expect(await lacksOf(draft)).toEqual([`fields.${sum.id}.formula`]);
    await ask(stage, "PATCH", `${path}/${sum.id}`, { formula: `{${other}}` });
    expect((await read(stage, draft.id)).status).toBe("ready");
  });

  const orders: [string, object, object, object, boolean][] = [
    ["in parallel", { signing_order: "parallel" }, { order_index: 1 }, { order_index: 2 }, false],
    ["before", { signing_order: "sequential" }, { order_index: 1 }, { order_index: 2 }, true],
    ["after", { signing_order: "sequential" }, { order_index: 2 }, { order_index: 1 }, false],
    ["before, in groups", { signing_order: "mixed" }, { order_index: 1 }, { order_index: 2 }, true],
    ["in the same group", { signing_order: "mixed" }, { order_index: 1 }, { order_index: 1 }, false],
    ["without a place", { signing_order: "mixed" }, { order_index: null }, { order_index: 1 }, false],
    [
      "both without a place, in their order",
      { signing_order: "sequential" },
      { order_index: null },
      { order_index: null },
      true,
    ],
  ];
  test.each(orders)("of a participant who acts %s", async (_, envelope, giver, owner, isTaken) => {
    const draft = await withFields(stage);
    await ask(stage, "PATCH", `/envelopes/${draft.id}`, envelope);
    await ask(stage, "PATCH", `/envelopes/${draft.id}/participants/${draft.participantId}`, giver);
    const number = await aNumber(draft);
    await aField(stage, draft.id, draft.place);
    const second = await aParticipant(stage, draft.id, { email: "second@example.com", ...owner });
    const place = { ...draft.place, participant_id: second.id };
    await aField(stage, draft.id, place);
    const sum = await aField(stage, draft.id, { ...place, type: "calculado", formula: `{${number}}` });
    expect(await lacksOf(draft)).toEqual(isTaken ? null : [`fields.${sum.id}.formula`]);
  });

  test("of who acted before is what they gave", async () => {
    const draft = await withFields(stage);
    await ask(stage, "PATCH", `/envelopes/${draft.id}`, { signing_order: "sequential" });
    await ask(stage, "PATCH", `/envelopes/${draft.id}/participants/${draft.participantId}`, { order_index: 1 });
    const given = await aNumber(draft);
    await aField(stage, draft.id, draft.place);
    const { id: second } = await aParticipant(stage, draft.id, { email: "second@example.com", order_index: 2 });
    const place = { ...draft.place, participant_id: second };
    const own = await aNumber({ ...draft, place });
    await aField(stage, draft.id, place);
    const sum = await aField(stage, draft.id, { ...place, type: "calculado", formula: `{${given}} - {${own}}` });
    expect((await complete(stage, await sendTo(draft), { values: { [given]: "10.50" } })).status).toBe(200);
    expect((await complete(stage, await linkOf(draft.id, second), { values: { [own]: "0.5" } })).status).toBe(200);
    expect((await fieldOf(draft.id, sum.id)).value).toBe("10");
  });
});

describe("the result", () => {
  test.each([
    ["{n} + 0.20", "0.1", "0.3"],
    ["{n} * 3", "0.50", "1.5"],
    ["{n} / 3", "2", "0.666666666667"],
    ["{n} / 3", "-2", "-0.666666666667"],
    ["{n} * 0.5", "0.000000000001", "0.000000000001"],
    ["{n} * 0.5", "-0.000000000001", "-0.000000000001"],
    ["{n} - 7", "007.000", "0"],
    ["-{n}", "0", "0"],
    ["1 - {n} * 2 + 3", "4", "-4"],
    ["(1 - {n}) * -(2 + 3)", "4", "15"],
    ["8 / {n} / 2", "4", "1"],
    ["{n} + 899999999999999999", "100000000000000000", "999999999999999999"],
  ])("of %s with %s is %s", async (formula, given, result) => {
    const sent = await sentFormula(formula);
    expect((await complete(stage, sent.link, { values: { [sent.number]: given } })).status).toBe(200);
    expect(await resultOf(sent)).toBe(result);
  });

  test.each([
    ["1 / {n}", "0.000", "divisor is 0"],
    ["1 / ({n} * 0.000000000001)", "0.1", "divisor is 0"],
    ["{n} + 1", "999999999999999999", "18 digits"],
    ["{n} * {n} / {n}", "9999999999", "18 digits"],
  ])("of %s with %s: 422 of the field, and nothing is kept", async (formula, given, fault) => {
    const sent = await sentFormula(formula, {}, { required: false });
    const { number, field } = sent;
    const answer = await complete(stage, sent.link, { values: { [number]: given } });
    expectError(answer, 422, "invalid_request", [`values.${field}`]);
    expect(answer.body.fields[0].message).toContain(fault);
    expect((await complete(stage, sent.link, { values: { [number]: "1" } })).status).toBe(200);
  });

  test("is empty where an operand is; required, it is refused", async () => {
    const empty = await sentFormula("1 / {n} + 1 / 0", { required: false }, { required: false });
    expect((await complete(stage, empty.link)).status).toBe(200);
    expect(await resultOf(empty)).toBeNull();
    const required = await sentFormula("{n} + 1", { required: false });
    expectError(await complete(stage, required.link), 422, "invalid_request", [`values.${required.field}`]);
  });

  test("an operand that is hidden is empty, whatever was given", async () => {
    const draft = await withFields(stage);
    const box = await aField(stage, draft.id, { ...draft.place, type: "checkbox", required: false });
    const number = await aNumber(draft, { condition_field_id: box.id, condition_trigger: "checked" });
    await aField(stage, draft.id, draft.place);
    const sum = await aField(stage, draft.id, {
      ...draft.place,
      type: "calculado",
      formula: `{${number}}`,
      required: false,
    });
    expect((await complete(stage, await sendTo(draft), { values: { [number]: "5" } })).status).toBe(200);
    expect((await fieldOf(draft.id, sum.id)).value).toBeNull();
  });

  test("is never taken from the participant, nor shown before the act", async () => {
    const sent = await sentFormula("{n}");
    const { number, field } = sent;
    const values = { [number]: "5", [field]: "6" };
    expectError(await complete(stage, sent.link, { values }), 422, "invalid_request", [`values.${field}`]);
    expect((await act(stage, sent.link, "GET")).body.fields).toBeNull();
  });

  test("stands in the record as a commitment, in the report, and on the document", async () => {
    const sent = await sentFormula("{n} * 12", {}, { label: "Twelve months" });
    const { number } = sent;
    expect((await complete(stage, sent.link, { values: { [number]: "1028.25" } })).status).toBe(200);
    await completing(stage, sent.id, worker);
    const { records } = await evidenceOf(stage, sent.id);
    expect(Object.keys(records[0].evidence.commitments)).toContain(`values.${sent.field}`);
    const report = proseOf(readReport((await reportOf(stage, sent.id)).bytes));
    expect(report).toContain("Twelve months 12339");
    const { body } = await ask(stage, "GET", `/envelopes/${sent.id}/documents/${sent.documentId}/download`);
    const document = Buffer.from(await (await fetch(body.url.replace("http://selo.test", selo.baseUrl))).arrayBuffer());
    expect(inspected(document, "text").text).toContain("12339");
  });
});

const ORACLE = fileURLToPath(new URL("formula_oracle.py", import.meta.url));

test("python3 decimal comes to the same, in 2,000 random formulas", { timeout: 60_000 }, async () => {
  const draft = await withFields(stage);
  const ids = await Promise.all([1, 2, 3, 4].map(() => aNumber(draft)));
  const cases = Array.from({ length: 2_000 }, () => ({
    formula: aFormula(ids, randomInt(1, 6)),
    operands: Object.fromEntries(ids.map((id) => [id, aDecimal(randomInt(1, 19), randomInt(0, 13))])),
  }));
  const rows = await inContext<{ readonly result: string }>(
    stage,
    `select coalesce(evaluated.value, case when evaluated.fault like '%divisor%' then 'zero' when evaluated.fault like '%18 digits%' then 'large' end, parsed.fault) as result
     from unnest($2::text[], $3::jsonb[]) with ordinality as given (formula, operands, place)
     cross join lateral signature.parse_formula($1, given.formula) as parsed
     cross join lateral signature.evaluate_formula(parsed.steps, given.operands) as evaluated order by given.place`,
    [draft.id, cases.map(({ formula }) => formula), cases.map(({ operands }) => operands)],
  );
  const expected: string[] = JSON.parse(
    execFileSync("python3", [ORACLE], { input: JSON.stringify(cases), encoding: "utf8", maxBuffer: 2 ** 26 }),
  );
  const differing = cases.flatMap((each, place) =>
    rows[place]?.result === expected[place] ? [] : [{ ...each, ours: rows[place]?.result, theirs: expected[place] }],
  );
  expect(differing.slice(0, 3)).toEqual([]);
  // The random formulas are of every kind.
  expect(expected.filter((each) => each === "zero").length).toBeGreaterThan(5);
  expect(expected.filter((each) => each === "large").length).toBeGreaterThan(5);
  expect(new Set(expected).size).toBeGreaterThan(500);
});

const oneOf = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;

/** A decimal with at most so many digits before and after the point, often a small one. */
function aDecimal(whole: number, decimals: number): string {
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join("");
  const before = oneOf([digits(whole), "0", "1", String(randomInt(100))]);
  return `${oneOf(["", "", "-"])}${before}${decimals > 0 && randomInt(2) === 0 ? `.${digits(decimals)}` : ""}`;
}

function aFormula(ids: readonly string[], depth: number): string {
  const space = oneOf(["", "", " ", "  "]);
  if (depth === 0 || randomInt(6) === 0)
    return oneOf([`{${oneOf(ids)}}`, aDecimal(randomInt(1, 19), randomInt(0, 13)).replace(/^-/, "")]);
  const inner = () => aFormula(ids, depth - 1);
  return oneOf([
    () => `${inner()}${space}${oneOf(["+", "-", "*", "/"])}${space}${inner()}`,
    () => `${inner()}${space}${oneOf(["+", "-", "*", "/"])}${space}${inner()}`,
    () => `(${space}${inner()})`,
    () => `${oneOf(["-", "+"])}${space}${inner()}`,
  ])();
}
