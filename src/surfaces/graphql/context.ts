import type { FastifyBaseLogger } from "fastify";
import type { GraphQLError } from "graphql";
import { type AppError, unauthenticated } from "../../errors/app-error.ts";
import { type AnyCommand, commandFacts } from "../../postgres/any-command.ts";
import type { Answer, Idempotency, Origin } from "../../postgres/call.ts";
import type { Database } from "../../postgres/database.ts";
import type { Reader } from "../../postgres/reads.ts";
import { idempotencyOf } from "../http/idempotency.ts";
import type { Limits } from "../http/limits.ts";
import { unknownSession } from "../http/session.ts";
import type { TokenUse } from "../http/token-use.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { documented } from "./errors.ts";
import type { MediaType } from "./media-type.ts";

/** A class that TypeGraphQL's decorators were applied to. */
// biome-ignore lint/complexity/noBannedTypes: as TypeGraphQL names classes.
export type ResolverClass = Function;

/** The objects that the GraphQL layer itself works with. */
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
  /** The variables as the schema reads them: members in its order, defaults filled in. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** One GraphQL request: its caller, its operation and its outcome. */
export class GraphqlContext<Parts extends GraphqlParts = GraphqlParts> implements Reader {
  /** The objects that operations work with. */
  readonly parts: Parts;
  /** SHA-256 of the bearer token; null for a request without a token, which may ask public fields only. */
  readonly credentialHash: Buffer | null;
  /** Whether that is the credential of a person's session. */
  readonly isOfSession: boolean;
  /** The address of the caller. */
  readonly address: string;
  readonly requestId: string;
  /** PUBLIC_URL, below which error codes are explained. */
  readonly publicUrl: string;
  readonly log: FastifyBaseLogger;
  /** A request by GET may only read. */
  readonly method: "GET" | "POST";
  readonly mediaType: MediaType;
  /** The header Idempotency-Key as it came; null without it. */
  readonly idempotencyKey: string | string[] | null;
  /** The header Accept-Language, in which operations may answer words; null without it. */
  readonly acceptLanguage: string | null;
  /** A signal that is aborted when the sender goes away before the request, with its file, has arrived whole. */
  readonly brokenOff: () => AbortSignal;
  /** Known after the document was parsed and validated. */
  operation: RequestedOperation | null = null;
  /** `isRead` is true once the operation is known to be a query: its answer contains no secret. (An object, because Apollo copies the context.) */
  readonly kind = { isRead: false };
  /** Faults of the document found by the validation rules. */
  faults: readonly GraphQLError[] = [];
  /** True when an earlier request with the same Idempotency-Key gave the answer. */
  replayed = false;
  /** Headers of the commands' answers; of several answers with one header, the last. */
  readonly headers: Record<string, string> = {};
  /** True after Postgres has accepted the token in a statement of this request. (A public field, because Apollo copies the context and would lose a private one.) */
  isAdmitted = false;

  constructor(
    request: Pick<
      GraphqlContext<Parts>,
      | "parts"
      | "credentialHash"
      | "isOfSession"
      | "address"
      | "requestId"
      | "publicUrl"
      | "log"
      | "method"
      | "mediaType"
      | "idempotencyKey"
      | "acceptLanguage"
      | "brokenOff"
    >,
  ) {
    this.parts = request.parts;
    this.credentialHash = request.credentialHash;
    this.isOfSession = request.isOfSession;
    this.address = request.address;
    this.requestId = request.requestId;
    this.publicUrl = request.publicUrl;
    this.log = request.log;
    this.method = request.method;
    this.mediaType = request.mediaType;
    this.idempotencyKey = request.idempotencyKey;
    this.acceptLanguage = request.acceptLanguage;
    this.brokenOff = request.brokenOff;
  }

  /**
   * Identifies a repeated request: by the document, the chosen operation, the variables, and files by digest.
   * @throws AppError 422 invalid_request for a key of another form
   */
  idempotency(files: readonly unknown[] = []): Idempotency | null {
    return idempotencyOf(this.idempotencyKey ?? undefined, "POST", "/graphql", { ...this.operation, files });
  }

  /** @throws AppError 401 unauthenticated without a token */
  credential(): Buffer {
    if (this.credentialHash === null) throw unauthenticated();
    return this.credentialHash;
  }

  /**
   * The caller of a command.
   * @throws AppError 401 unauthenticated if the command needs a token and the request has none
   */
  requesterOf(command: AnyCommand): { readonly credentialHash: Buffer | null; readonly origin: Origin } {
    return { credentialHash: commandFacts(command).scope === null ? null : this.credential(), origin: this.origin };
  }

  get origin(): Origin {
    return { requestId: this.requestId, address: this.address, channel: "graphql" };
  }

  /** Runs a command of schema api that writes, and returns its parsed answer. */
  async command(command: AnyCommand, parameters: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { credentialHash, origin, parts } = this;
    const idempotency = this.idempotency();
    const call = { credentialHash, command, arguments: parameters, idempotency, origin };
    return this.admitted(await parts.database.call(call));
  }

  /** Runs a command that reads: one item, or a list, which waits its turn as in REST. */
  async query(command: AnyCommand, parameters: Readonly<Record<string, unknown>>, isList: boolean): Promise<unknown> {
    const { credentialHash, origin } = this;
    const { database } = this.parts;
    const call = { credentialHash, command, arguments: parameters, origin };
    return this.admitted(await (isList ? database.list(call) : database.read(call)));
  }

  /** The answer of a command that was called with the token: Postgres has accepted the token. */
  admitted(answer: Pick<Answer, "body" | "replayed" | "headers">): unknown {
    this.admit();
    return this.answered(answer);
  }

  /** The parsed answer of a command. */
  answered({ body, replayed, headers }: Pick<Answer, "body" | "replayed" | "headers">): unknown {
    this.replayed ||= replayed;
    Object.assign(this.headers, headers);
    return body === null ? null : JSON.parse(body);
  }

  admit(): void {
    if (this.isAdmitted || this.credentialHash === null) return;
    this.isAdmitted = true;
    this.parts.tokenUse.seen(this.credentialHash);
  }

  /**
   * The reason why the whole request is refused: its token is not valid. Statements of the request check the token themselves. It is checked
   * here only if no statement succeeded (for a document that was refused or that reads nothing).
   * @param failures the failures in the request
   */
  async refusal(failures: readonly AppError[]): Promise<AppError | null> {
    if (this.isAdmitted || this.credentialHash === null) return null;
    const { database, limits } = this.parts;
    let refusal = failures.find(({ status }) => status === 401);
    if (refusal === undefined) {
      // Postgres or our own code is at fault, and checking the token would fail as slowly.
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
    return this.isOfSession && refusal.code === "unauthenticated" ? unknownSession() : refusal;
  }
}

declare global {
  namespace Grafast {
    interface Context {
      selo: GraphqlContext;
    }
  }
}
