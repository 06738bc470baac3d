import type { FastifyRequest } from "fastify";
import type { Origin } from "../../postgres/call.ts";
import type { Database } from "../../postgres/database.ts";
import type { Limits } from "../http/limits.ts";
import type { TokenUse } from "../http/token-use.ts";

/** What the REST layer itself works with. */
export interface RestParts {
  readonly database: Database;
  readonly tokenUse: TokenUse;
  readonly limits: Limits;
}

/** A request whose shape is already checked. */
export interface RestRequest {
  readonly raw: FastifyRequest;
  /** Path without the query, as it was called. */
  readonly path: string;
  /** SHA-256 of the secret; null only on routes for anyone. */
  readonly credentialHash: Buffer | null;
  /** Path parameters, query and JSON body in one, as the command takes them; empty for multipart. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly isMultipart: boolean;
  readonly origin: Origin;
}
