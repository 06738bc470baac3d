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
];
