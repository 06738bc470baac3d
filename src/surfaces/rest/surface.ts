import type { IncomingHttpHeaders } from "node:http";
import type { AppError } from "../../errors/app-error.ts";
import type { Origin } from "../../postgres/call.ts";
import type { Operator } from "../../postgres/operator/operator.ts";
import type { ErrorForm } from "../http/errors.ts";
import type { LimitForm } from "../http/limits.ts";
import type { Session } from "../http/session.ts";
import type { Introduced } from "../openapi/introduced.ts";
import type { Defaults } from "../openapi/prose.ts";
import type { Schema } from "../openapi/schema.ts";
import type { Page } from "./pages.ts";

/**
 * A REST API: the prefix of its paths, and the forms of its answers. A route names its surface. The existing
 * surfaces are those that the services' routes name. A service may define its own surface.
 */
export interface RestSurface {
  /** The prefix of its paths, such as `/api/v1`. A surface may lie below another surface. */
  readonly prefix: string;
  /** Its prefix is its one path: what lies below the prefix is not of the surface. */
  readonly isOnePath?: true;
  readonly errors: ErrorForm;
  readonly lists: ListForm;
  readonly limits: LimitForm;
  readonly credentials: CredentialForm;
  /** Whether its paths take sessions of people; on the main surface a path says so itself (`session` of its form). Paths of it without a credential open sessions, and refuse pages of other origins. */
  readonly takesSessions?: true;
  /** Null for an API that its clients know from elsewhere. */
  readonly document: SurfaceDocument | null;
  /** Whether it ignores members that it does not know, and reads a body of any media type as JSON. Otherwise they are 422 and 415. */
  readonly isLenient?: true;
  /** Where its requests come from, as the audit trail says it; `rest` by default. Requests from `page` also record their User-Agent. */
  readonly channel?: Origin["channel"];
  /**
   * The parameter of its paths that holds the number of the caller's organization. Commands do not get it: SQL refuses another organization's with
   * 403 forbidden before any command runs.
   */
  readonly organizationIn?: { readonly parameter: string; readonly description: string };
  /** Parameters of paths that hold integers: described so, and another value is 404. */
  readonly integersInPaths?: readonly string[];
  /**
   * What headers of a request give to commands, by the names of their parameters. An operation lists such a parameter in `made`: callers
   * cannot give it otherwise. Every command of the request that has the parameter gets it.
   */
  readonly ofHeaders?: HeaderParameters;
}

/** What headers give to commands. */
export interface HeaderParameters {
  /** Request headers that {@link read} reads, for CORS and for the OpenAPI document. */
  readonly headers: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: Schema;
    /** The parameter that the header gives, if operations with another parameter do not take the header. */
    readonly parameter?: string;
  }[];
  /** The names of the parameters. */
  readonly parameters: readonly string[];
  /** The session is the one that the request was admitted by: null on paths that take none. */
  readonly read: (headers: IncomingHttpHeaders, session: Session | null) => Readonly<Record<string, string | null>>;
}

/** A surface that has an OpenAPI document. */
export type DescribedSurface = RestSurface & { readonly document: SurfaceDocument };

/** Whether a surface has an OpenAPI document. */
export const isDescribed = (surface: RestSurface): surface is DescribedSurface => surface.document !== null;

/** How a page of a list is sent. */
export interface ListForm {
  /** @param address the address of the request, with its query, in its public form */
  readonly send: (page: Page, address: string) => SentList;
  /** Headers of lists, for the OpenAPI document. */
  readonly documentedHeaders: Readonly<Record<string, DocumentedHeader>>;
  /** The end of the schema names of lists. */
  readonly schemaSuffix: string;
  /** Whether lists are bare arrays: the header `Link` alone says where a page goes on, and every page has one schema. */
  readonly isBare?: true;
}

export interface SentList {
  /** JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The credentials that a surface takes. SQL decides what their holder may do. */
export interface CredentialForm {
  /** Request headers that {@link digest} reads, for CORS. */
  readonly headers: readonly string[];
  /**
   * SHA-256 of the whole secret; only the digest goes further.
   * @throws AppError in the surface's own words, if the secret is missing or malformed; mostly 401 unauthenticated
   */
  readonly digest: (headers: IncomingHttpHeaders) => Buffer;
  /** The refusal of a digest that belongs to no credential, in the surface's own words; mostly 401 unauthenticated. */
  readonly unknown: () => AppError;
  /** The codes of these refusals and of a missing scope, for the OpenAPI document; `unauthenticated` and `missing_scope` by default. */
  readonly refusals?: readonly string[];
  /** The security scheme of its OpenAPI document, by its name there. */
  readonly securityScheme: { readonly name: string; readonly definition: object };
  /** The scopes that its credentials may hold, and one of them that opens least; those of tokens by default. */
  readonly scopes?: { readonly all: readonly string[]; readonly least: string };
  /** Makes a credential for the examples of the document; returns the headers that present it. */
  readonly issue: (operator: Operator, holder: CredentialHolder) => Promise<Readonly<Record<string, string>>>;
}

/** The holder that a credential is made for. */
export interface CredentialHolder {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  readonly scopes: readonly string[];
}

/** The OpenAPI document of a surface. */
export interface SurfaceDocument {
  /** The file that `npm run generate` writes. Gateways serve it at the root under its base name. */
  readonly file: `schema/${string}.json`;
  readonly title: string;
  /** CommonMark: the rules common to all its paths. */
  readonly introduction: (defaults: Defaults, ofServices: readonly Introduced[]) => string;
  /** The body of an error that has one of these codes. */
  readonly errorSchema: (codes: readonly string[]) => Schema;
  /** Headers of every answer to a request that was counted. */
  readonly limitHeaders: Readonly<Record<string, DocumentedHeader>>;
  /** Headers of successful writes. */
  readonly writeHeaders?: Readonly<Record<string, DocumentedHeader>>;
  /** Whether it also describes deliveries to webhooks. */
  readonly describesWebhooks: boolean;
}

/** A response header in an OpenAPI document. */
export interface DocumentedHeader {
  readonly description: string;
  readonly schema: Schema;
  /** True if its value changes each time; the document then shows no value. */
  readonly changes?: true;
}
