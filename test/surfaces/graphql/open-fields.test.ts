// Which fields of GraphQL need no token: those of operations whose command asks for no scope, and what the schema says of views.
import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { z } from "zod";
import { openQueriesOf } from "../../../src/surfaces/graphql/apollo.ts";
import type { Operation } from "../../../src/surfaces/operation.ts";

const schema = buildSchema("type Query { some: String }");
const sealing: Operation = {
  name: "sealFile",
  command: "list_platform_keys",
  file: { most: () => 1, kept: "digest" },
  rest: null,
  graphql: {
    description: "…",
    upload: { field: "sealUpload", description: "…" },
    payload: { value: z.string() },
  },
  run: async () => ({ status: 200, body: null, replayed: false }),
};

test("both fields of an operation that takes members or a file are open, and counted", () => {
  const open = openQueriesOf(schema, [{ operations: [sealing] }]);
  expect([...open.counted]).toEqual(["sealFile", "sealUpload"]);
  expect([...open.all]).toEqual(expect.arrayContaining(["sealFile", "sealUpload"]));
});

test("neither is where its command asks for a scope", () => {
  const open = openQueriesOf(schema, [{ operations: [{ ...sealing, command: "prepare_proofs" }] }]);
  expect([...open.all]).toEqual(["__schema", "__type"]);
});
