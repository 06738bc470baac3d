import type { FastifyBaseLogger } from "fastify";
import { unauthenticated } from "../app-error.ts";
import { idempotencyOf } from "../auth/idempotency.ts";
import type { Idempotency, Origin } from "../db/call.ts";
import type { Actor } from "../db/database.ts";
import type { CommandName } from "../db/generated/commands.ts";
import type { Limits } from "../http/limits.ts";
import type { ProofServices } from "../operations/signature/register-proof.ts";
import type { WebhookServices } from "../operations/webhooks/manage-endpoints.ts";

/** What resolvers work with. */
export interface GraphqlServices extends ProofServices, WebhookServices {
  /** PROOF_MAX_FILE_BYTES. */
  readonly proofMaxFileBytes: number;
  readonly limits: Limits;
}

/** The operation of a request, its variables checked against the schema. */
export interface Operation {
  readonly query: string;
  readonly operationName: string | null;
  /** As the schema reads them: members in its order, defaults filled in. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One GraphQL request: who asks, for what, and what became of it. */
export class GraphqlContext {
  readonly services: GraphqlServices;
  /** Null with {@link actor} when nobody in particular asks: for what is public. */
  readonly credentialHash: Buffer | null;
  readonly actor: Actor | null;
  /** Where the request comes from. */
  readonly address: string;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
  /** The header as it came; null without it. */
  readonly idempotencyKey: string | string[] | null;
  /** Known once the document is parsed and validated. */
  operation: Operation | null = null;
  /** True when an earlier request with the same Idempotency-Key gave the answer. */
  replayed = false;

  constructor(
    request: Omit<GraphqlContext, "operation" | "replayed" | "idempotency" | "command" | "credential" | "origin">,
  ) {
    this.services = request.services;
    this.credentialHash = request.credentialHash;
    this.actor = request.actor;
    this.address = request.address;
    this.requestId = request.requestId;
    this.log = request.log;
    this.idempotencyKey = request.idempotencyKey;
  }

  /**
   * What makes a repeated request the same: the document, which operation of it, the variables, and files by digest.
   * @throws AppError 422 invalid_request for a key that is not 1-255 visible characters
   */
  idempotency(files: readonly unknown[] = []): Idempotency | null {
    return idempotencyOf(this.idempotencyKey ?? undefined, "POST", "/graphql", { ...this.operation, files });
  }

  /** @throws AppError 401 unauthenticated when there is no token */
  credential(): Buffer {
    if (this.credentialHash === null) throw unauthenticated();
    return this.credentialHash;
  }

  get origin(): Origin {
    return { requestId: this.requestId, address: this.address, channel: "graphql" };
  }

  /** Runs a command of schema api and returns its answer, parsed. */
  async command(command: CommandName, parameters: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { credentialHash, origin, services } = this;
    const idempotency = this.idempotency();
    const answer = await services.database.call({
      credentialHash,
      command,
      arguments: parameters,
      idempotency,
      origin,
    });
    this.replayed ||= answer.replayed;
    return answer.body === null ? null : JSON.parse(answer.body);
  }
}

declare global {
  namespace Grafast {
    interface Context {
      selo: GraphqlContext;
    }
  }
}
