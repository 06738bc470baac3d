import type { RestSurface } from "../../rest/surface.ts";
import type { ExampleRequest } from "./example-request.ts";

/** An example with the answer it got. */
export interface RecordedExample extends ExampleRequest {
  readonly surface: RestSurface;
  /** Place in the order in which they were executed, from 1. */
  readonly step: number;
  readonly method: string;
  /** As it was called. */
  readonly path: string;
  readonly status: number;
  /** Without parameters. */
  readonly contentType: string;
  readonly responseHeaders: Headers;
  /** JSON; undefined for a file. */
  readonly answer: unknown;
}
