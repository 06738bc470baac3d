import { z } from "zod";
import { type AnyCommand, commandFacts } from "../../postgres/any-command.ts";
import type { RouteExample } from "../openapi/examples/example-request.ts";
import type { RouteHandler } from "./handler.ts";
import type { RestSurface } from "./surface.ts";

/** One documented path: what it does, and what the OpenAPI document says about it beyond what follows from that. */
export interface Route<Parts = never> {
  /** What it belongs to; the main surface where it is absent. */
  readonly surface?: RestSurface;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the prefix of the surface, parameters in braces as the documents write them. */
  readonly path: string;
  /** Its name in generated clients. */
  readonly operation: string;
  /** A heading of `/docs`: a tag of the service's description. */
  readonly tag: string;
  readonly summary: string;
  /** CommonMark, where the summary is not enough. */
  readonly description?: string;
  /** The function in schema api or gateway that answers; it also says which scope is needed, see {@link scopeOf}. */
  readonly command: AnyCommand;
  /** Status of a success, where the command does not name one itself. */
  readonly status: number;
  /** What a success holds. */
  readonly answers: Answers;
  /** Requests whose real answers the document shows, beside those of the service's `examples`. They are made first. */
  readonly examples?: readonly RouteExample[];
  /** Error codes beyond those that follow from its shape, see openapi/errors.ts. */
  readonly errors?: readonly string[];
  /** Arguments of the command that the handler makes, and no caller gives. */
  readonly made?: readonly string[];
  /** True where the command only reads, but the handler then makes a second call, which writes; see {@link writes}. */
  readonly writesLater?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Where the path also reads multipart/form-data: a file under `file`, and these fields. */
  readonly multipart?: Form;
  /** Only for what needs TypeScript between two database calls; everything else is parse, call, answer. */
  readonly handle?: RouteHandler<Parts>;
}

type Answers =
  /**
   * JSON of this schema: one of the service's description; or a row of the view `row`; or, where its name ends with Page, a
   * page of the schema named before that. `statuses` where there are several, with what each means.
   */
  | { readonly schema: string; readonly row?: string; readonly statuses?: Readonly<Record<number, string>> }
  /** A file of this media type, whole or in part as the request asks for it; its handler gives it. */
  | { readonly file: `${string}/${string}`; readonly description: string }
  /** 204. */
  | { readonly nothing: string };

export interface Form {
  readonly fields: z.ZodObject;
  /** Whether the fields stand beside the file or in its place. */
  readonly with: "fields beside the file" | "the file or the fields";
}

/** The scope a route asks for, as its SQL function says; null when anyone may call it. */
export function scopeOf(route: Route): string | null {
  return commandFacts(route.command).scope;
}

/** Whether a route writes, and so takes an Idempotency-Key. */
export function writes(route: Route): boolean {
  return commandFacts(route.command).writes || route.writesLater === true;
}

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(least).max(most));
export const page = z.strictObject({
  limit: wholeNumber(1, 200).default(50).meta({ description: "How many at most." }),
  offset: wholeNumber(0, 2_147_483_647).default(0).meta({ description: "How many to skip." }),
});
export const instant = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 time with offset" })
  .refine((text) => !text.startsWith("0000"), "must be a time after the year 0")
  // Postgres knows none beyond.
  .refine((text) => !/[+-](1[6-9]|2\d):?\d\d$/.test(text), "must have an offset below 16 hours");
