import type { FastifyBaseLogger } from "fastify";
import type { GraphQLError } from "graphql";
import { type AppError, unauthenticated } from "../../app-error.ts";
import { type AnyCommand, commandFacts } from "../../postgres/any-command.ts";
import type { Answer, Idempotency, Origin } from "../../postgres/call.ts";
import type { Database } from "../../postgres/database.ts";
import type { Reader } from "../../postgres/reads.ts";
import { idempotencyOf } from "../http/idempotency.ts";
import type { Limits } from "../http/limits.ts";
import type { TokenUse } from "../http/token-use.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { documented } from "./errors.ts";
import type { MediaType } from "./media-type.ts";

/** A class that TypeGraphQL's decorators were applied to. */
// biome-ignore lint/complexity/noBannedTypes: as TypeGraphQL names classes.
export type ResolverClass = Function;

/** What the GraphQL layer itself works with. */
export interface GraphqlParts {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly tokenUse: TokenUse;
}

/** The operation of a request, its variables checked against the schema. */
export interface RequestedOperation {
  readonly query: string;
  readonly operationName: string | null;
  /** As the schema reads them: members in its order, defaults filled in. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One GraphQL request: who asks, for what, and what became of it. */
export class GraphqlContext<Parts extends GraphqlParts = GraphqlParts> implements Reader {
  /** What operations work with. */
  readonly parts: Parts;
  /** SHA-256 of the bearer token; null when nobody in particular asks: for what is public. */
  readonly credentialHash: Buffer | null;
  /** Where the request comes from. */
  readonly address: string;
  readonly requestId: string;
  /** PUBLIC_URL, where codes of errors are explained. */
  readonly publicUrl: string;
  readonly log: FastifyBaseLogger;
  /** A request by GET only reads. */
  readonly method: "GET" | "POST";
  readonly mediaType: MediaType;
  /** The header as it came; null without it. */
  readonly idempotencyKey: string | string[] | null;
  /** Known once the document is parsed and validated. */
  operation: RequestedOperation | null = null;
  /** `isRead` once it is known that the operation is a query: its answer holds no secret. (An object, because Apollo copies the context.) */
  readonly kind = { isRead: false };
  /** What is wrong with the document by the rules for documents. */
  faults: readonly GraphQLError[] = [];
  /** True when an earlier request with the same Idempotency-Key gave the answer. */
  replayed = false;
  /** True once Postgres has found the token good, in a statement of this request. (Apollo copies the context: a private field would stay behind.) */
  isAdmitted = false;

  constructor(
    request: Pick<
      GraphqlContext<Parts>,
      | "parts"
      | "credentialHash"
      | "address"
      | "requestId"
      | "publicUrl"
      | "log"
      | "method"
      | "mediaType"
      | "idempotencyKey"
    >,
  ) {
    this.parts = request.parts;
    this.credentialHash = request.credentialHash;
    this.address = request.address;
    this.requestId = request.requestId;
    this.publicUrl = request.publicUrl;
    this.log = request.log;
    this.method = request.method;
    this.mediaType = request.mediaType;
    this.idempotencyKey = request.idempotencyKey;
  }

  /**
   * What makes a repeated request the same: the document, which operation of it, the variables, and files by digest.
   * @throws AppError 422 invalid_request for a key of another form
   */
  idempotency(files: readonly unknown[] = []): Idempotency | null {
    return idempotencyOf(this.idempotencyKey ?? undefined, "POST", "/graphql", { ...this.operation, files });
  }

  /** @throws AppError 401 unauthenticated when there is no token */
  credential(): Buffer {
    if (this.credentialHash === null) throw unauthenticated();
    return this.credentialHash;
  }

  /**
   * Who asks for a command.
   * @throws AppError 401 unauthenticated when the command needs a token and there is none
   */
  requesterOf(command: AnyCommand): { readonly credentialHash: Buffer | null; readonly origin: Origin } {
    return { credentialHash: commandFacts(command).scope === null ? null : this.credential(), origin: this.origin };
  }

  get origin(): Origin {
    return { requestId: this.requestId, address: this.address, channel: "graphql" };
  }

  /** Runs a command of schema api that writes, and returns its answer, parsed. */
  async command(command: AnyCommand, parameters: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { credentialHash, origin, parts } = this;
    const idempotency = this.idempotency();
    const call = { credentialHash, command, arguments: parameters, idempotency, origin };
    return this.admitted(await parts.database.call(call));
  }

  /** The same for one that reads: one thing, or a list, which waits its turn as in REST. */
  async query(command: AnyCommand, parameters: Readonly<Record<string, unknown>>, isList: boolean): Promise<unknown> {
    const { credentialHash, origin } = this;
    const { database } = this.parts;
    const call = { credentialHash, command, arguments: parameters, origin };
    return this.admitted(await (isList ? database.list(call) : database.read(call)));
  }

  /** What a command answered that was called with the token: Postgres has found the token good. */
  admitted(answer: Pick<Answer, "body" | "replayed">): unknown {
    this.admit();
    return this.answered(answer);
  }

  /** What a command answered, parsed. */
  answered({ body, replayed }: Pick<Answer, "body" | "replayed">): unknown {
    this.replayed ||= replayed;
    return body === null ? null : JSON.parse(body);
  }

  admit(): void {
    if (this.isAdmitted || this.credentialHash === null) return;
    this.isAdmitted = true;
    this.parts.tokenUse.seen(this.credentialHash);
  }

  /**
   * Why nothing of the request is answered: its token is not good. Statements of the request ask that themselves; it is asked
   * here where none has succeeded (a document that is refused, or that reads nothing).
   * @param failures what failed in the request
   */
  async refusal(failures: readonly AppError[]): Promise<AppError | null> {
    if (this.isAdmitted || this.credentialHash === null) return null;
    const { database, limits } = this.parts;
    let refusal = failures.find(({ status }) => status === 401);
    if (refusal === undefined) {
      // Postgres, or something of ours, is at fault; asking again would take as long again.
      if (failures.some(({ status }) => status >= 500)) return null;
      try {
        await database.authorize(this.credentialHash);
        this.admit();
        return null;
      } catch (error) {
        refusal = documented(error, this);
      }
    }
    if (refusal.status === 401) limits.refused(this.credentialHash);
    return refusal;
  }
}

declare global {
  namespace Grafast {
    interface Context {
      selo: GraphqlContext;
    }
  }
}
