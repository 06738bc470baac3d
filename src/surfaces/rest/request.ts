import type { FastifyRequest } from "fastify";
import type { Origin } from "../../postgres/call.ts";
import type { Database } from "../../postgres/database.ts";
import type { Limits } from "../http/limits.ts";
import type { TokenUse } from "../http/token-use.ts";

/** The objects that the REST layer itself works with. */
export interface RestParts {
  readonly database: Database;
  readonly tokenUse: TokenUse;
  readonly limits: Limits;
}

/** A request whose shape was checked. */
export interface RestRequest {
  readonly raw: FastifyRequest;
  /** The called path without the query. */
  readonly path: string;
  /** SHA-256 of the secret; null only on routes that need no token. */
  readonly credentialHash: Buffer | null;
  /** Path parameters, query and JSON body together, in the command's form; empty for multipart. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly isMultipart: boolean;
  readonly origin: Origin;
  /** What the surface reads from headers for commands. */
  readonly ofHeaders: Readonly<Record<string, string | null>>;
}
