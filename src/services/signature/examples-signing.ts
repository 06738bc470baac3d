import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../surfaces/openapi/examples/files.ts";

const OPERATIONS: readonly (readonly [operation: string, path: string, body?: object])[] = [
  ["getSigning", ""],
  ["sendSigningCode", "/code"],
  ["openSigningSession", "/session", { code: "123456" }],
  ["getSigningDocument", `/documents/${UNKNOWN_ID}`],
  ["viewSigningDocuments", "/view"],
];

/** Requests of the signing page. Nobody has a link before an envelope is sent, so they show how a link is refused. */
export const signingExamples: readonly ExampleRequest[] = [
  ...OPERATIONS.map(
    ([operation, path, body]): ExampleRequest => ({
      operation,
      name: "unknown",
      summary: "A link that does not exist",
      caller: "anyone",
      path: `/${UNKNOWN_ID}${path}`,
      ...(body === undefined ? {} : { body }),
    }),
  ),
  {
    operation: "mailSigningLink",
    name: "any",
    summary: "The answer is always the same",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/link`,
  },
  {
    operation: "completeSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/complete`,
    body: { consent_version: "intl-2026-11", signature: { kind: "typed", text: "Maria Souza" } },
  },
  {
    operation: "declineSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/decline`,
    body: { reason: "The rent is wrong." },
  },
];
