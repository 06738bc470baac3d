import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";

export const dnsExamples: readonly ExampleRequest[] = [
  { operation: "readDnsMe", name: "key", summary: "The key of the request", caller: "live", path: "/me" },
];
