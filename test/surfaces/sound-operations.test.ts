// What a definition cannot say is refused when the schema is built, and names the operation or the member.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerTypeOf, inputTypeOf, shownAs } from "../../src/surfaces/graphql/payload-types.ts";
import { membersOf } from "../../src/surfaces/openapi/schema.ts";
import type { Operation, ShownPayload } from "../../src/surfaces/operation.ts";
import { rowOf } from "../../src/surfaces/operation.ts";
import { requireSoundOperations } from "../../src/surfaces/sound-operations.ts";

const rest = { method: "POST", path: "/webhooks/{id}/rotate", status: 200, tag: "Webhooks", summary: "…" } as const;
const good: Operation = {
  name: "rotate",
  command: "rotate_webhook_secret",
  made: ["sealed_secret"],
  answers: { nothing: "Done." },
  rest,
  run: async () => ({ status: 200, body: null, replayed: false }),
};
const plain: Operation = {
  name: "read",
  command: "get_webhook",
  answers: { schema: "Webhook" },
  rest: { ...rest, method: "GET" },
};

describe("operations", () => {
  test("these are sound, or the rest shows nothing", () => requireSoundOperations([good, plain]));

  test.each<[string, readonly Operation[], string]>([
    ["two of one name", [good, { ...plain, name: "rotate" }], "operation rotate: another one has this name"],
    ["a made parameter that the command lacks", [{ ...good, made: ["sealed"] }], "its command has no parameter sealed"],
    [
      "a member that nothing takes",
      [{ ...plain, input: z.strictObject({ color: z.string() }) }],
      "nothing takes color",
    ],
    [
      "two of one field of GraphQL",
      [
        { ...good, graphql: { field: "again", description: "…", payload: { value: z.string() } } },
        { ...good, name: "other", graphql: { field: "again", description: "…", payload: { value: z.string() } } },
      ],
      "operation other: another one has the field again of GraphQL",
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
          rest: null,
          file: { most: () => 1, kept: "bytes" },
        },
      ],
      "cannot hold the list event_types",
    ],
    ["a second command of another scope", [{ ...good, records: "record_proofs" }], "ask for different scopes"],
    [
      "a path with a member that the input lacks",
      [{ ...plain, rest: { ...rest, path: "/webhooks/{code}" } }],
      "/webhooks/{code}",
    ],
    [
      "a parameter of text without limits",
      [{ ...good, made: [] }],
      "say the limits of sealed_secret of rotate_webhook_secret",
    ],
  ])("%s is refused", (_, operations, words) => {
    expect(() => requireSoundOperations(operations)).toThrow(words);
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
    ["a number with a fraction", z.number(), "OfNumber.member"],
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
