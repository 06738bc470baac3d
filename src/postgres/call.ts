import type { AnyCommand } from "./any-command.ts";
import type { DatabaseFailure } from "./errors.ts";

/** What makes a repeated write the same write. */
export interface Idempotency {
  /** The Idempotency-Key header. */
  readonly key: string;
  /** SHA-256 over method, path and payload. */
  readonly requestHash: Buffer;
}

/** Where a request comes from: what the audit trail says of it, and by what name Postgres' logs know its statements. */
export interface Origin {
  /** X-Request-Id. */
  readonly requestId: string;
  readonly address: string;
  readonly channel: "rest" | "graphql";
}

/** An origin as SQL takes it, see platform.make_audit_event. */
export function originJson({ requestId, address, channel }: Origin) {
  return { request_id: requestId, address, channel };
}

/** One request to the database: everything from credential to answer happens in this one round trip. */
export interface Call {
  /** SHA-256 of the bearer token; null for a command that anyone may call. */
  readonly credentialHash: Buffer | null;
  readonly command: AnyCommand;
  /** By name, without the `p_` prefix; absent ones keep their defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Status of a success that the command itself does not name. */
  readonly status?: number;
  readonly idempotency?: Idempotency | null;
  readonly origin: Origin;
}

export interface Answer {
  readonly status: number;
  /** JSON text, ready to be sent; null for an answer without a body. */
  readonly body: string | null;
  /** True when an earlier request with the same Idempotency-Key made it. */
  readonly replayed: boolean;
}

/** Runs calls: one in a round trip, or several in one round trip and one transaction, each answering for itself. */
export interface Caller {
  call(call: Call): Promise<Answer>;
  callMany(calls: readonly Call[]): Promise<(Answer | { readonly failure: DatabaseFailure })[]>;
}
