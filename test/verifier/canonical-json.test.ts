import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANONICAL_JSON_MAX_DEPTH, canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";

const vectorFile = new URL("../../../shared/vectors/canonical-json.json", import.meta.url);

const PYTHON = `
import json, sys
for value in json.loads(sys.stdin.buffer.read().decode("utf-8")):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    sys.stdout.buffer.write(text.encode("utf-8").hex().encode("ascii") + b"\\n")
`;

/** Characters on which orders and escapes part: controls, quotes, both sides of the surrogates, line separators. */
const tellingCharacter = fc.constantFrom(
  ...[
    "\u0001",
    "\b",
    "\t",
    "\n",
    "\u000b",
    "\f",
    "\r",
    "\u001f",
    " ",
    '"',
    "/",
    "\\",
    "a",
    "Z",
    "0",
    "\u007f",
    "\u0080",
  ],
  ...[
    "é",
    "ç",
    "\u2028",
    "\u2029",
    "中",
    "\ud7ff",
    "\ue000",
    "\ufb01",
    "\ufb33",
    "\uffff",
    "\u{10000}",
    "😀",
    "\u{10ffff}",
  ],
);
const text = fc
  .oneof(fc.string({ unit: tellingCharacter, maxLength: 8 }), fc.string({ unit: "binary", maxLength: 8 }))
  .map((value) => value.replaceAll("\u0000", "0"));
const integer = fc.oneof(fc.integer(), fc.maxSafeInteger()).map((value) => value + 0);
const documentOf = (key: fc.Arbitrary<string>) =>
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(text, integer, fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    ),
  })).value;
const document = documentOf(text);
/**
 * Without keys that are written with escapes: Node 24.21 misreads those after others of the same object, so that
 * JSON.parse('{"":{"\\f":0,"\\n":0}}') may have a backslash for a key.
 */
const readable = documentOf(text.filter((key) => JSON.stringify(key) === `"${key}"`));

/** The evidence of a proof of existence, its keys in the order of the specification. */
const evidence = {
  kind: "existence_proof",
  schema_version: 1,
  proof_id: "ef1010e9-c545-47db-8b8c-6708e4c0e8de",
  tenant_id: "67004921-eb5e-4a29-9c57-5723748b78fb",
  organization: 'Ação & "Reação" Ltda',
  hash_algorithm: "SHA-256",
  sha256: "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3",
  label: null,
  file_name: "contrato\t😀.pdf",
  file_size: 9_007_199_254_740_991,
  registered_at: "2026-11-20T12:34:56.633467+00:00",
  verification_code: "7Q2M-K9XT-4HBC",
  time_source: "platform_server_clock_utc",
  key_id: "ed25519-0123456789abcdef",
  pq_key_id: "ml-dsa-87-0123456789abcdef",
  hybrid_policy: "AND",
} satisfies JsonValue;

describe("the canonical form", () => {
  test("evidence: keys sorted, no whitespace, non-ASCII unescaped", () => {
    expect(canonicalJson(evidence)).toBe(
      '{"file_name":"contrato\\t😀.pdf","file_size":9007199254740991,"hash_algorithm":"SHA-256","hybrid_policy":"AND",' +
        '"key_id":"ed25519-0123456789abcdef","kind":"existence_proof","label":null,' +
        '"organization":"Ação & \\"Reação\\" Ltda","pq_key_id":"ml-dsa-87-0123456789abcdef",' +
        '"proof_id":"ef1010e9-c545-47db-8b8c-6708e4c0e8de","registered_at":"2026-11-20T12:34:56.633467+00:00",' +
        '"schema_version":1,"sha256":"4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3",' +
        '"tenant_id":"67004921-eb5e-4a29-9c57-5723748b78fb","time_source":"platform_server_clock_utc",' +
        '"verification_code":"7Q2M-K9XT-4HBC"}',
    );
  });

  test("keys go by code point, where UTF-16 units would order them otherwise", () => {
    const value = { "😀": 1, "\ufb01": 2, "\ud7ff": 3, a: 4, "": 5, "a😀": 6, "a\uffff": 7 };
    expect(canonicalJson(value)).toBe('{"":5,"a":4,"a\uffff":7,"a😀":6,"\ud7ff":3,"\ufb01":2,"😀":1}');
    expect(Object.keys(value).sort().at(-1)).toBe("\ufb01");
  });

  test.each<[JsonValue, string]>([
    [{}, "{}"],
    [[], "[]"],
    ["", '""'],
    [null, "null"],
    [true, "true"],
    [false, "false"],
    [0, "0"],
    [-9_007_199_254_740_991, "-9007199254740991"],
    ['\u0001\b\t\n\u000b\f\r\u001f"\\/\u007f\u2028', '"\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028"'],
    [[{ b: [], a: [1, [2]] }], '[{"a":[1,[2]],"b":[]}]'],
    [{ 10: "ten", 9: "nine" }, '{"10":"ten","9":"nine"}'],
  ])("%j is %s", (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  test("a key named __proto__ is a key like another", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":2}}'))).toBe('{"__proto__":{"x":2},"b":1}');
  });

  test("an object without a prototype is an object", () => {
    expect(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });

  test("the text reads back as the value, and is its own canonical form whatever the order of the keys was", () => {
    fc.assert(
      fc.property(readable, (value) => {
        const canonical = canonicalJson(value);
        expect(JSON.parse(canonical)).toEqual(value);
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
        expect(canonicalJson(reversed(value))).toBe(canonical);
      }),
      { numRuns: 1_000 },
    );
  });

  test("keys are in the order of their UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 12 }), (keys) => {
        const object = Object.fromEntries(keys.map((key) => [key, 0]));
        const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(canonicalJson(object)).toBe(`{${sorted.map((key) => `${JSON.stringify(key)}:0`).join(",")}}`);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("other programs agree", () => {
  test("every stored vector", (context) => {
    if (!existsSync(vectorFile)) context.skip("../shared/vectors/canonical-json.json is not there");
    const { cases } = JSON.parse(readFileSync(vectorFile, "utf8")) as {
      cases: { value: JsonValue; canonical: string }[];
    };
    expect(cases.length).toBeGreaterThan(100);
    for (const { value, canonical } of cases) expect(canonicalJson(value)).toBe(canonical);
  });

  test("python3 json.dumps on 3,000 generated documents", (context) => {
    if (spawnSync("python3", ["-c", ""]).status !== 0) context.skip("python3 is not installed");
    const values = [...fc.sample(document, 3_000), evidence];
    const python = spawnSync("python3", ["-c", PYTHON], { input: JSON.stringify(values), maxBuffer: 1 << 28 });
    expect(python.stderr.toString()).toBe("");
    const lines = python.stdout.toString().trimEnd().split("\n");
    expect(lines).toHaveLength(values.length);
    for (const [index, value] of values.entries()) {
      expect(canonicalJson(value)).toBe(Buffer.from(lines[index] ?? "", "hex").toString("utf8"));
    }
  });
});

describe("what has no canonical form is refused, with its place", () => {
  class Money {
    cents = 1;
  }
  const loop: unknown[] = [];
  loop.push(loop);
  const refused: [string, unknown, string][] = [
    ["a fraction", { size: 1.5 }, "number is not a safe integer at $.size"],
    ["an integer beyond 2^53 - 1", [9_007_199_254_740_992], "number is not a safe integer at $[0]"],
    ["NaN", Number.NaN, "number is not a safe integer at $"],
    ["infinity", { a: [0, Number.NEGATIVE_INFINITY] }, "number is not a safe integer at $.a[1]"],
    ["negative zero", { a: -0 }, "number is negative zero at $.a"],
    ["undefined", { a: { "b c": undefined } }, 'undefined is not JSON at $.a["b c"]'],
    ["a hole", { a: new Array(1) }, "undefined is not JSON at $.a[0]"],
    ["a bigint", [1n], "bigint is not JSON at $[0]"],
    ["a function", { a() {} }, "function is not JSON at $.a"],
    ["a symbol", [Symbol("x")], "symbol is not JSON at $[0]"],
    ["a symbol key", { [Symbol("x")]: 1 }, "object has a symbol key at $"],
    ["a date", { at: new Date(0) }, "object is not a plain object at $.at"],
    ["a map", [new Map()], "object is not a plain object at $[0]"],
    ["bytes", [Buffer.from("x")], "object is not a plain object at $[0]"],
    ["an instance", new Money(), "object is not a plain object at $"],
    ["a lone high surrogate", { a: "x\ud83d" }, "string has a lone surrogate at $.a"],
    ["a lone low surrogate", ["\ude00\ud83d"], "string has a lone surrogate at $[0]"],
    ["a lone surrogate in a key", { b: { "\ud83d": 1 } }, 'string has a lone surrogate at $.b["\\ud83d"]'],
    ["U+0000", { a: "x\u0000" }, "string has U+0000 at $.a"],
    ["U+0000 in a key", { "\u0000": 1 }, 'string has U+0000 at $["\\u0000"]'],
  ];

  test.each(refused)("%s", (_name, value, message) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(new TypeError(`no canonical JSON: ${message}`));
  });

  test("depth: 64 levels are written, 65 and a cycle are not", () => {
    let value: JsonValue = 7;
    for (let level = 0; level < CANONICAL_JSON_MAX_DEPTH; level++) value = level % 2 === 0 ? [value] : { a: value };
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
    expect(() => canonicalJson([value])).toThrow(/nested deeper than 64 levels at \$\[0\]/);
    expect(() => canonicalJson(loop as JsonValue)).toThrow(TypeError);
  });

  test("the message does not repeat the value", () => {
    expect(() => canonicalJson({ cpf: "123.456.789-09\u0000" })).toThrow(
      /^no canonical JSON: string has U\+0000 at \$\.cpf$/,
    );
  });
});

/** The same value with every object's keys inserted in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, JsonValue>);
  return Object.fromEntries(entries.reverse().map(([key, item]) => [key, reversed(item)]));
}
