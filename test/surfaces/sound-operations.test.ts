// What a definition cannot say is refused when the schema is built, and names the operation or the member.
import { buildSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { exampleText, requireValidExamples } from "../../src/surfaces/graphql/examples.ts";
import { answerTypeOf, inputTypeOf, shownAs } from "../../src/surfaces/graphql/payload-types.ts";
import type { ExampleRequest } from "../../src/surfaces/openapi/examples/example-request.ts";
import { examplesOf } from "../../src/surfaces/openapi/examples.ts";
import { membersOf } from "../../src/surfaces/openapi/schema.ts";
import type { GraphqlForm, Operation, ShownPayload } from "../../src/surfaces/operation.ts";
import { rowOf } from "../../src/surfaces/operation.ts";
import { requireSoundOperations } from "../../src/surfaces/sound-operations.ts";

const rest = { method: "POST", path: "/webhooks/{id}/rotate", status: 200, tag: "Webhooks", summary: "…" } as const;
const example = { name: "first", summary: "…", caller: "live" } as const;
const run = async () => ({ status: 200, body: null, replayed: false });
const good: Operation = {
  name: "rotate",
  command: "rotate_webhook_secret",
  made: ["sealed_secret"],
  answers: { nothing: "Done." },
  rest,
  examples: [example],
  run,
};
const plainPath = { ...rest, method: "GET" } as const;
const plain: Operation = {
  name: "read",
  command: "get_webhook",
  answers: { schema: "Webhook" },
  rest: plainPath,
  examples: [example],
};
/** Each of its items has sha256, label, file_name and file_size. */
const batch: Operation = { ...good, command: "prepare_proofs", made: [], rest: { ...rest, path: "/proofs" } };
const withoutExample: GraphqlForm = { description: "…", payload: { value: z.string() } };
const ofGraphql: GraphqlForm = { ...withoutExample, example: { document: "{ rotate }" } };
const check = async (operations: readonly Operation[], examples: readonly ExampleRequest[] = []) =>
  requireSoundOperations(operations, await examplesOf([{ operations, examples: async () => examples }]));

describe("operations", () => {
  test("these are sound, or the rest shows nothing", async () => {
    await check([good, plain]);
    await check([good, { ...plain, examples: [] }], [{ ...example, operation: "read" }]);
    await check([{ ...batch, made: ["label"] }]);
    await check([{ ...good, rest: null, examples: [], graphql: ofGraphql }]);
    const paths = [plainPath, { ...plainPath, path: "/webhooks/{id}/again", name: "readAgain" }];
    await check([{ ...plain, rest: paths }], [{ ...example, operation: "readAgain" }]);
  });

  test.each<[string, readonly Operation[], string]>([
    ["two of one name", [good, { ...plain, name: "rotate" }], "operation rotate: another operation has this name"],
    ["a made parameter that the command lacks", [{ ...good, made: ["sealed"] }], "its command has no parameter sealed"],
    ["a member that nothing takes", [{ ...plain, input: z.strictObject({ color: z.string() }) }], "nothing uses color"],
    [
      "two of one field of GraphQL",
      [
        { ...good, graphql: { field: "again", description: "…", payload: { value: z.string() } } },
        { ...good, name: "other", graphql: { field: "again", description: "…", payload: { value: z.string() } } },
      ],
      "operation other: another operation has the GraphQL field again",
    ],
    [
      "what it makes and callers give",
      [{ ...good, input: z.strictObject({ sealed_secret: z.string() }) }],
      "it makes sealed_secret, which callers give",
    ],
    ["made without a run", [{ ...plain, made: ["id"] }], "needs a run"],
    ["a file without a run", [{ ...plain, file: { most: () => 1, kept: "digest" } }], "needs a run"],
    [
      "a list beside a file",
      [
        {
          ...good,
          command: "create_webhook",
          made: ["id", "is_loopback", "sealed_secret"],
          rest: { ...rest, path: "/webhooks" },
          file: { most: () => 1, kept: "bytes" },
        },
      ],
      "cannot hold the list event_types",
    ],
    ["a second command of another scope", [{ ...good, records: "record_proofs" }], "need different scopes"],
    [
      "a path with a member that the input lacks",
      [{ ...plain, rest: { ...rest, path: "/webhooks/{code}" } }],
      "/webhooks/{code}",
    ],
    [
      "a parameter of text without limits",
      [{ ...good, made: [] }],
      "state the limits of sealed_secret of rotate_webhook_secret",
    ],
    ["one that no example asks", [good, { ...plain, examples: [] }], "operation read: the operation has no example"],
    [
      "one of GraphQL alone without an example",
      [{ ...good, rest: null, examples: [], graphql: withoutExample }],
      "operation rotate: the operation has no path, and its graphql has no example",
    ],
    [
      "one of GraphQL alone with an example of a path",
      [{ ...good, rest: null, graphql: ofGraphql }],
      "operation rotate: the operation has an example, but no path",
    ],
    ["what a batch makes and none of its items has", [{ ...batch, made: ["proofs"] }], "no parameter proofs"],
    [
      "a file of a query of GraphQL",
      [{ ...plain, run, file: { most: () => 1, kept: "bytes" }, graphql: ofGraphql }],
      "operation read: a GraphQL query takes no file",
    ],
    [
      "a stored file of an operation that does not write",
      [{ ...plain, run, file: { most: () => 1, kept: "stored", store: async () => async () => Promise.reject() } }],
      "operation read: it stores a file, and writes no row that names it",
    ],
    [
      "a path with the name of another operation",
      [good, { ...plain, rest: { ...plainPath, name: "rotate" } }],
      "operation read: another operation has the name rotate",
    ],
    [
      "two paths of one name",
      [{ ...plain, rest: [plainPath, { ...plainPath, path: "/webhooks/{id}/again" }] }],
      "operation read: two of its paths have the name read",
    ],
    [
      "a path with a name that no example asks",
      [{ ...plain, rest: [plainPath, { ...plainPath, path: "/webhooks/{id}/again", name: "readAgain" }] }],
      "operation read: the path readAgain has no example",
    ],
    [
      "a path of a file that it does not take",
      [{ ...good, rest: { ...rest, takes: "file" } }],
      "operation rotate: /webhooks/{id}/rotate takes a file, and the operation takes none",
    ],
    [
      "a file or members in its place without a path for the file",
      [{ ...batch, file: { most: () => 1, kept: "digest", orMembers: true } }],
      "no path takes only the file",
    ],
  ])("%s is refused", async (_, operations, words) => {
    await expect(check(operations)).rejects.toThrow(words);
  });
});

describe("examples of GraphQL", () => {
  const schema = buildSchema(`
    scalar Upload
    input SealInput { text: String!, file: Upload! }
    type Query { read(id: ID!): String  other: String }
    type Mutation { seal(input: SealInput!): String }
  `);
  const of = (field: string, document: string, variables?: Record<string, unknown>): readonly Operation[] => [
    { ...good, rest: null, graphql: { ...ofGraphql, field, example: { document, ...(variables && { variables }) } } },
  ];
  const SEAL = "mutation ($input: SealInput!) { seal(input: $input) }";

  test("these are valid, or the rest shows nothing", () => {
    requireValidExamples(schema, [good, ...of("other", "{ other }")]);
    requireValidExamples(
      schema,
      of("read", "query ($id: ID!) { ...Q } fragment Q on Query { read(id: $id) }", { id: "1" }),
    );
    // As in a GraphQL multipart request.
    requireValidExamples(schema, of("seal", SEAL, { input: { text: "…", file: null } }));
  });

  test.each<[what: string, operations: readonly Operation[], words: string]>([
    ["that does not parse", of("other", "{ other"), "Syntax Error"],
    ["with a field that the schema lacks", of("other", "{ another }"), 'Cannot query field "another"'],
    ["without an argument", of("read", "{ read }"), 'argument "id" of type "ID!" is required'],
    ["that asks another field", of("read", "{ other }"), "the document does not ask read"],
    ["of two operations", of("other", "query A { other } query B { other }"), "the document must have one operation"],
    ["without a variable", of("read", "query ($id: ID!) { read(id: $id) }"), "variables.id: is required"],
    ["with a variable of another type", of("seal", SEAL, { input: { text: 1, file: null } }), "variables.input.text"],
    ["with a variable too many", of("other", "{ other }", { id: "1" }), "the document declares no variable id"],
  ])("one %s is refused, naming the operation", (_, operations, words) => {
    expect(() => requireValidExamples(schema, operations)).toThrow(
      /^operation rotate: its example of GraphQL is not valid: /,
    );
    expect(() => requireValidExamples(schema, operations)).toThrow(words);
  });

  test("the description of the field shows it", () => {
    expect(exampleText({ document: "{ read }", variables: { id: 1 } })).toBe(
      '\n\n```graphql\n{ read }\n```\n\n```json\n{\n  "id": 1\n}\n```',
    );
  });
});

describe("payloads of GraphQL", () => {
  const payload = (name: string, member: z.ZodType): ShownPayload => ({
    name,
    description: "…",
    members: z.object({ member }),
  });

  test.each<[string, z.ZodType, string]>([
    ["a union", z.union([z.string(), z.int()]), "OfUnion.member"],
    ["an object without a title", z.object({ inner: z.string() }), "OfObject.member"],
    ["a list of unions", z.array(z.union([z.string(), z.int()])), "an entry of OfList.member"],
  ])("%s is refused, naming the member", (what, member, words) => {
    const name = words.replace(/^an entry of /, "").split(".")[0] ?? what;
    expect(() => answerTypeOf(payload(name, member))).toThrow(`GraphQL cannot say what ${words} is`);
  });

  test("two objects of one title are refused unless they are equal", () => {
    const titled = (member: z.ZodType) => z.object({ member }).meta({ title: "Twice" });
    answerTypeOf(payload("FirstOfTwice", titled(z.string())));
    answerTypeOf(payload("SecondOfTwice", titled(z.string())));
    expect(() => answerTypeOf(payload("ThirdOfTwice", titled(z.int())))).toThrow("GraphQL has two types Twice");
  });

  test("an integer that may pass 2^31 is BigInt, and one that may not is Int", () => {
    const typeName = (member: z.ZodType) => {
      const [found] = membersOf(z.object({ member }));
      return found === undefined ? null : (inputTypeOf(found).type() as { readonly name?: string }).name;
    };
    expect(
      typeName(
        z
          .int()
          .min(0)
          .max(2 ** 53 - 1),
      ),
    ).toBe("BigInt");
    expect(
      typeName(
        z
          .int()
          .min(0)
          .max(2 ** 31 - 1),
      ),
    ).toBe("Int");
  });

  test("an answer is shown by its payload: the row itself, rows in it, and objects in camel case", () => {
    const members = z.object({
      proof: rowOf("proofs"),
      platform_keys: z.array(rowOf("platform_keys")),
      seal: z.object({ key_id: z.string() }).meta({ title: "ASeal" }),
      secret: z.string().nullable(),
    });
    const answer = { id: 1, platform_keys: [{ key_id: "k" }], seal: { key_id: "s" } };
    expect(shownAs({ name: "Shown", description: "…", members }, answer)).toEqual({
      proof: answer,
      platformKeys: [{ key_id: "k" }],
      seal: { keyId: "s" },
      secret: null,
    });
    expect(shownAs({ value: z.int() }, 7)).toBe(7);
  });
});
