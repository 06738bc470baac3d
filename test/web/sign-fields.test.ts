// The fields of the signing page: the same rules as signature.fill_fields, which has the last word.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { personalNumbers } from "../../src/services/signature/envelopes/personal-numbers.ts";
import { drawnSignature, type Paths, RATIO, simplified } from "../../src/web/sign/reader/drawing.ts";
import {
  askedFields,
  completionOf,
  type Field,
  faultOf,
  faults,
  inReadingOrder,
  isCpf,
  missing,
  numberOf,
  numberShown,
  shownFields,
} from "../../src/web/sign/reader/fields.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { byLane } from "../support/lane.ts";

const PLACE = { document_id: "d", page: 1, x: 0, y: 0, width: 0.1, height: 0.1, required: true } as const;
const field = (id: string, more: Partial<Field> = {}): Field => ({
  ...PLACE,
  id,
  type: "texto",
  condition_field_id: null,
  condition_trigger: null,
  label: null,
  formula: null,
  ...more,
});
const under = (box: string, trigger: "checked" | "unchecked") => ({
  condition_field_id: box,
  condition_trigger: trigger,
});
const ids = (fields: readonly Field[]) => fields.map(({ id }) => id);

describe("shown", () => {
  const fields = [
    field("deep", under("inner", "unchecked")),
    field("box", { type: "checkbox", required: false }),
    field("inner", { type: "checkbox", required: false, ...under("box", "checked") }),
    field("other", under("box", "unchecked")),
  ];
  test.each([
    [{}, ["box", "other"]],
    [{ box: false }, ["box", "other"]],
    [{ box: true }, ["deep", "box", "inner"]],
    [{ box: true, inner: true }, ["box", "inner"]],
    // A value of a hidden checkbox shows nothing.
    [{ inner: true }, ["box", "other"]],
  ])("with %j: %j", (values, shown) => {
    expect(ids(shownFields(fields, values))).toEqual(shown);
  });

  test("fields whose conditions go round in a circle are not", () => {
    const circle = [
      field("a", { type: "checkbox", ...under("b", "unchecked") }),
      field("b", { type: "checkbox", ...under("a", "unchecked") }),
    ];
    expect(shownFields(circle, {})).toEqual([]);
  });
});

test("fields are asked in the order of reading, the CPF once, and not what the server fills in", () => {
  const fields = [
    field("later", { page: 2 }),
    field("below", { y: 0.5 }),
    field("right", { x: 0.5 }),
    field("first"),
    field("second-document", { document_id: "e" }),
    field("cpf-two", { type: "cpf", y: 0.7, required: false }),
    field("cpf-three", { type: "cpf", y: 0.8 }),
    field("name", { type: "nome" }),
    field("day", { type: "data" }),
    field("sign", { type: "assinatura" }),
    field("initials", { type: "rubrica" }),
  ];
  const asked = (cpf: string | null) => ids(askedFields(inReadingOrder(fields, ["d", "e"]), {}, cpf));
  expect(asked(null)).toEqual(["first", "right", "below", "cpf-two", "later", "second-document"]);
  expect(asked("***.982.247-**")).toEqual(["first", "right", "below", "later", "second-document"]);
  // One of the fields of the CPF is required.
  expect(ids(missing(inReadingOrder(fields, ["d", "e"]), {}, null))).toContain("cpf-two");
});

test("what is missing: a required box must be ticked, or answered where its empty state shows a field", () => {
  const fields = [
    field("text"),
    field("optional", { required: false }),
    field("pick", { type: "checkbox" }),
    field("box", { type: "checkbox", required: false }),
  ];
  expect(ids(missing(fields, {}, null))).toEqual(["text", "pick"]);
  expect(ids(missing(fields, { text: " ", pick: false }, null))).toEqual(["text", "pick"]);
  expect(missing(fields, { text: "x", pick: true }, null)).toEqual([]);
  const withReason = [...fields, field("why", { required: false, ...under("pick", "unchecked") })];
  expect(missing(withReason, { text: "x", pick: false }, null)).toEqual([]);
  expect(ids(missing(withReason, { text: "x" }, null))).toEqual(["pick"]);
});

test("the request has what is shown and given alone", () => {
  const fields = [
    field("box", { type: "checkbox", required: false }),
    field("hidden", under("box", "checked")),
    field("empty", { required: false }),
    field("cpf", { type: "cpf" }),
  ];
  const values = { box: false, hidden: "x", empty: "", cpf: "529.982.247-25", unknown: "x" };
  expect(completionOf(fields, values, null)).toEqual({ values: { box: false }, cpf: "529.982.247-25" });
  expect(completionOf(fields, values, "***")).toEqual({ values: { box: false } });
});

test("a CPF is right exactly where the server takes it", () => {
  const taken = (text: string) => personalNumbers.cpf.safeParse(text).success;
  expect([isCpf("529.982.247-25"), isCpf("52998224725"), isCpf("529.982.247-24"), isCpf("111.111.111-11")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const digits = fc.stringMatching(/^\d{9}$/).map((nine) => {
    const sum = (text: string) => [...text].reduce((all, digit, at) => all + Number(digit) * (text.length + 1 - at), 0);
    const check = (text: string) => `${text}${((sum(text) * 10) % 11) % 10}`;
    return check(check(nine));
  });
  fc.assert(
    fc.property(fc.oneof(digits, fc.stringMatching(/^\d{10,12}$/), fc.string()), (text) => {
      expect(isCpf(text)).toBe(taken(text));
    }),
  );
});

describe("numbers as people write them", () => {
  test.each([
    ["2.350,00", ",", "2350.00"],
    ["2350,5", ",", "2350.5"],
    ["1.234", ",", "1234"],
    ["-1.234.567,89", ",", "-1234567.89"],
    ["1234.50", ",", "1234.50"],
    ["1,234.50", ".", "1234.50"],
    ["1,234", ".", "1234"],
    ["12,5", ".", "12,5"],
    ["1.2.3", ",", "1.2.3"],
    ["ten", ".", "ten"],
  ] as const)("%s with %s is %s", (typed, sign, number) => {
    expect(numberOf(typed, sign)).toBe(number);
  });

  test("come back as they are shown", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?[0-9]{1,18}(\.[0-9]{1,12})?$/), fc.constantFrom(",", "."), (number, sign) => {
        expect(numberOf(numberShown(number, sign), sign)).toBe(number);
      }),
    );
  });
});

/** The distance of a point from a piece of a line, in parts of the width. */
function gap(
  [x, y]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
) {
  const [dx, dy, px, py] = [x2 - x1, (y2 - y1) * RATIO, x - x1, (y - y1) * RATIO];
  const along = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - along * dx, py - along * dy);
}

describe("a drawing", () => {
  test("of thousands of points fits into the request, and stays near its line", () => {
    const path = Array.from({ length: 5_000 }, (_, at) => [at / 5_000, 0.5 + 0.4 * Math.sin(at / 50)] as const);
    const signature = drawnSignature([path]);
    const text = JSON.stringify(signature);
    expect(text.length).toBeLessThan(65_536);
    const drawn = signature?.kind === "drawn" ? (signature.paths[0] ?? []) : [];
    // From each point of the hand to the nearest line of the drawing, in parts of the width.
    const away = path.map(([x, y]) => Math.min(...drawn.slice(1).map((to, at) => gap([x, y], drawn[at] ?? to, to))));
    expect(Math.max(...away)).toBeLessThan(0.0012);
    const noise: Paths = Array.from({ length: 3_000 }, (_, at) => [
      [at / 3_000, 0.1],
      [at / 3_000, 0.9],
    ]);
    expect(JSON.stringify(drawnSignature(noise)).length).toBeLessThan(65_536);
  });

  test("loses the points of a straight line, and keeps its ends", () => {
    const line = Array.from({ length: 100 }, (_, at) => [at / 100, at / 100] as const);
    expect(simplified(line, 0.001)).toEqual([line[0], line.at(-1)]);
  });

  test("without a line is none", () => {
    expect([drawnSignature([]), drawnSignature([[[0.5, 0.5]]])]).toEqual([null, null]);
  });
});

describe("the same as SQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  // Each one of the first plane in sign-fields.full.test.ts.
  test("which characters a value may have, alone and after a letter", async () => {
    const onPage = (text: string) => faultOf({ type: "texto" }, text, false) !== null;
    const alone = Array.from({ length: 0x10000 }, (_, code) => onPage(String.fromCharCode(code)));
    const isKept = byLane({
      // Letters without case, such as Chinese ones, and characters for private use: one of 32, and those at which the page decides otherwise.
      lane: (code: number) =>
        !/[\p{Lo}\p{Co}]/u.test(String.fromCharCode(code)) ||
        code % 32 === 0 ||
        alone[code - 1] !== alone[code] ||
        alone[code] !== alone[code + 1],
      full: () => true,
    });
    const characters = Array.from({ length: 0xffff }, (_, at) => at + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .filter(isKept)
      .map((code) => String.fromCharCode(code));
    expect(characters.length).toBeGreaterThan(8_000);
    const texts = [...characters, ...characters.map((character) => `a${character}`)];
    const { rows } = await database.admin.query<{ text: string }>(
      "select text from unnest($1::text[]) as given (text) where signature.wrong_text(text, true) is not null",
      [texts],
    );
    const wrong = texts.filter(onPage);
    expect(wrong.map(encodeURI)).toEqual(rows.map(({ text }) => encodeURI(text)));
  });

  const id = (at: number) => `0197a0c0-0000-7000-8000-${String(at).padStart(12, "0")}`;
  const TYPES = ["checkbox", "texto", "numero", "cargo", "nome", "data", "assinatura"] as const;
  /** Fields of which some lie below checkboxes that came before them, and a value for each, or none. */
  const cases = fc
    .array(
      fc.record({
        type: fc.constantFrom(...TYPES),
        required: fc.boolean(),
        above: fc.nat(20),
        trigger: fc.constantFrom("checked" as const, "unchecked" as const),
        isBelow: fc.boolean(),
        ticked: fc.option(fc.boolean()),
        text: fc.option(
          fc.oneof(
            fc.constantFrom(
              "",
              " ",
              "\u200b",
              "1234.50",
              "1,5",
              "-0.000000000001",
              "1".repeat(19),
              "a\nb",
              "x".repeat(1_001),
            ),
            fc.string({ unit: "binary" }).filter((text) => !text.includes("\0")),
          ),
        ),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((rows) => {
      const fields: Field[] = [];
      const values: Record<string, string | boolean> = {};
      rows.forEach((row, at) => {
        const boxes = fields.filter(({ type }) => type === "checkbox");
        const box = row.isBelow ? boxes[row.above % Math.max(1, boxes.length)] : undefined;
        fields.push(
          field(id(at), { type: row.type, required: row.required, ...(box ? under(box.id, row.trigger) : {}) }),
        );
        if (row.type === "checkbox" && row.ticked !== null) values[id(at)] = row.ticked;
        if (["texto", "numero", "cargo"].includes(row.type) && row.text !== null) values[id(at)] = row.text;
      });
      return { fields, values };
    });

  test("which fields are shown, and which values have a fault", async () => {
    const client = await database.admin.connect();
    try {
      // Fields without an envelope around them: the function reads nothing else.
      await client.query("set session_replication_role = replica");
      await fc.assert(
        fc.asyncProperty(cases, async ({ fields, values }) => {
          await client.query("begin");
          try {
            await client.query(
              `insert into signature.fields (tenant_id, id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required,
                 condition_field_id, condition_trigger)
               select $1, id, 'test', $1, $1, $1, 1, 0, 0, 0.1, 0.1, type, required, condition_field_id, condition_trigger
               from jsonb_to_recordset($2) as given (id uuid, type text, required boolean, condition_field_id uuid, condition_trigger text)`,
              [id(999), JSON.stringify(fields)],
            );
            const { rows } = await client.query(
              `select field_id, is_shown, fault is not null as is_wrong
               from signature.fill_fields(jsonb_populate_record(null::signature.participants, $1), $2, '2026-11-23') order by field_id`,
              [
                JSON.stringify({ tenant_id: id(999), envelope_id: id(999), id: id(999), name: "Maria" }),
                JSON.stringify({ values }),
              ],
            );
            const [shown, wrong] = [new Set(shownFields(fields, values)), faults(fields, values, null)];
            expect(rows).toEqual(
              fields.map((each) => ({ field_id: each.id, is_shown: shown.has(each), is_wrong: wrong.has(each.id) })),
            );
          } finally {
            await client.query("rollback");
          }
        }),
        { numRuns: 200 },
      );
    } finally {
      client.release(true);
    }
  });
});
