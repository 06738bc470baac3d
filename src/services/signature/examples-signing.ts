import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../surfaces/openapi/examples/files.ts";

/** Requests of the signing page. */
export const signingExamples: readonly ExampleRequest[] = [
  {
    operation: "getSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}`,
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
