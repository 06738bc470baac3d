import type { IncomingHttpHeaders } from "node:http";
import type { AppError } from "../../app-error.ts";
import type { Operator } from "../../postgres/operator/operator.ts";
import type { ErrorForm } from "../http/errors.ts";
import type { LimitForm } from "../http/limits.ts";
import type { Defaults } from "../openapi/prose.ts";
import type { Schema } from "../openapi/schema.ts";
import type { Page } from "./pages.ts";

/**
 * One REST API: where its paths begin, and the forms in which it speaks. A route says which surface it belongs to; the
 * surfaces there are, are those of the services' routes. A service may bring one of its own.
 */
export interface RestSurface {
  /** Where its paths begin, such as `/api/v1`. A surface may lie below another one. */
  readonly prefix: string;
  readonly errors: ErrorForm;
  readonly lists: ListForm;
  readonly limits: LimitForm;
  readonly credentials: CredentialForm;
  readonly document: SurfaceDocument;
}

/** How a page of a list is sent. */
export interface ListForm {
  /** @param address of the request, with its query, as the public reaches it */
  readonly send: (page: Page, address: string) => SentList;
  /** Headers of lists, as the OpenAPI document describes them. */
  readonly documentedHeaders: Readonly<Record<string, DocumentedHeader>>;
  /** The names of answers that are lists end with this. */
  readonly schemaSuffix: string;
}

export interface SentList {
  /** JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Which credentials a surface takes. SQL decides what the holder of one may do. */
export interface CredentialForm {
  /** Request headers that {@link digest} reads, for pages of other origins. */
  readonly headers: readonly string[];
  /**
   * SHA-256 of the whole secret; only the digest goes further.
   * @throws AppError 401 unauthenticated, in the surface's own words, when the secret is missing or has not its shape
   */
  readonly digest: (headers: IncomingHttpHeaders) => Buffer;
  /** 401 unauthenticated, in the surface's own words, where nobody has a credential of that digest. */
  readonly unknown: () => AppError;
  /** The security scheme of its OpenAPI document, by its name there. */
  readonly securityScheme: { readonly name: string; readonly definition: object };
  /** Makes a credential for the examples of the document; answers the headers that present it. */
  readonly issue: (operator: Operator, holder: CredentialHolder) => Promise<Readonly<Record<string, string>>>;
}

/** Whom a credential is made for. */
export interface CredentialHolder {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  readonly scopes: readonly string[];
}

/** The OpenAPI document of a surface. */
export interface SurfaceDocument {
  /** The file that `npm run generate` writes. Gateways serve it at the root by its last part. */
  readonly file: `schema/${string}.json`;
  readonly title: string;
  /** CommonMark: the rules common to all its paths. */
  readonly introduction: (defaults: Defaults) => string;
  /** The body of an error that has one of these codes. */
  readonly errorSchema: (codes: readonly string[]) => Schema;
  /** Headers of every answer to a request that was counted. */
  readonly limitHeaders: Readonly<Record<string, DocumentedHeader>>;
  /** Whether it also describes what is posted to webhooks. */
  readonly describesWebhooks: boolean;
}

/** A response header as an OpenAPI document describes it. */
export interface DocumentedHeader {
  readonly description: string;
  readonly schema: Schema;
  /** True where its value is another one each time, so that the document shows none. */
  readonly changes?: true;
}
