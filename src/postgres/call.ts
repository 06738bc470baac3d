import type { AnyCommand } from "./any-command.ts";
import type { DatabaseFailure } from "./errors.ts";

/** Identifies a repeated write. */
export interface Idempotency {
  /** The Idempotency-Key header. */
  readonly key: string;
  /** SHA-256 over method, path and payload. */
  readonly requestHash: Buffer;
}

/** The source of a request: for the audit trail, and for the application name in Postgres' logs. */
export interface Origin {
  /** X-Request-Id. */
  readonly requestId: string;
  readonly address: string;
  readonly channel: "rest" | "graphql" | "page";
  /** User-Agent, where the audit trail records it: a signing page is opened by people. */
  readonly agent?: string | null;
  /** The number of an organization in the path of the request. It must be the caller's: see platform.require_organization. */
  readonly organization?: string | null;
}

/** An origin in the form that SQL takes, see platform.make_audit_event. */
export function originJson({ requestId, address, channel, agent, organization }: Origin) {
  return {
    request_id: requestId,
    address,
    channel,
    ...(agent == null ? {} : { agent }),
    ...(organization == null ? {} : { organization }),
  };
}

/** One request to the database. One round trip does everything from credential to answer. */
export interface Call {
  /** SHA-256 of the bearer token; null for a public command. */
  readonly credentialHash: Buffer | null;
  readonly command: AnyCommand;
  /** By name, without the `p_` prefix; absent arguments keep their defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Status of a success, if the command does not return a status. */
  readonly status?: number;
  readonly idempotency?: Idempotency | null;
  readonly origin: Origin;
}

export interface Answer {
  readonly status: number;
  /** JSON text, ready to be sent; null for an answer without a body. */
  readonly body: string | null;
  /** True if an earlier request with the same Idempotency-Key produced the answer. */
  readonly replayed: boolean;
  /** Headers that the surface sends with the answer: what happened beside it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie that REST sends with the answer. */
  readonly cookies?: readonly string[];
}

/** Runs calls: one call in a round trip, or several in one round trip and one transaction, each with its own answer. */
export interface Caller {
  call(call: Call): Promise<Answer>;
  callMany(calls: readonly Call[]): Promise<(Answer | { readonly failure: DatabaseFailure })[]>;
}
