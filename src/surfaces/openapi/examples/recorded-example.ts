import type { RestSurface } from "../../rest/surface.ts";
import type { ExampleRequest } from "./example-request.ts";

/** An example with its answer. */
export interface RecordedExample extends ExampleRequest {
  readonly surface: RestSurface;
  /** Position in the order in which the examples ran, from 1. */
  readonly step: number;
  readonly method: string;
  /** The path that was called. */
  readonly path: string;
  readonly status: number;
  /** The media type without parameters. */
  readonly contentType: string;
  readonly responseHeaders: Headers;
  /** JSON, a text, or how another file begins. */
  readonly answer: unknown;
}
