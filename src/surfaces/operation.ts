import { z } from "zod";
import { type AnyCommand, commandFacts } from "../postgres/any-command.ts";
import type { Answer, Idempotency, Origin } from "../postgres/call.ts";
import type { CommandName, commands } from "../postgres/generated/commands.ts";
import type { Views } from "../postgres/generated/views.ts";
import type { RouteExample } from "./openapi/examples/example-request.ts";
import type { FileSource } from "./rest/file-source.ts";
import type { RestSurface } from "./rest/surface.ts";

/**
 * An operation of a service, defined once: REST, its description and GraphQL are made from it. An operation that SQL alone answers is data.
 * `run` exists only where TypeScript must act before, between or after database calls.
 */
export interface Operation<Parts = never> {
  /** Its name in generated clients and in examples. */
  readonly name: string;
  /** The function in schema api or gateway that answers, or that is called first. The function determines the scope and the parameters. */
  readonly command: AnyCommand;
  /** The function that `run` calls last, if `command` only reads. The operation then writes, and takes an Idempotency-Key. */
  readonly records?: AnyCommand;
  /** It takes no Idempotency-Key, and ignores one: a secret of people is in its input, and a key is kept with a digest of the input. */
  readonly isKeyless?: true;
  /**
   * How long an Idempotency-Key may be that what it makes keeps, forever: `run` gets the key ({@link Requester.keptKey}), and no answer is kept with it.
   * In GraphQL the key is a member of the input, or the header.
   */
  readonly keepsKey?: number;
  /** Members of the input whose shape SQL cannot state, or that SQL does not take. All other members are parameters of the command. */
  readonly input?: z.ZodObject;
  /** Parameters of the command that `run` makes; callers cannot give them. */
  readonly made?: readonly string[];
  /** The largest JSON body of its paths, in bytes, if it is not that of other paths. GraphQL has one limit for all fields. */
  readonly mostJsonBytes?: number;
  /** A file that is part of the input. */
  readonly file?: FileInput<Parts>;
  /** The content of a successful answer in REST. */
  readonly answers?: Answers;
  /** Error codes beyond those that follow from its form, see openapi/errors.ts. */
  readonly errors?: readonly string[];
  /** Requests whose real answers the documentation shows, beside the service's `examples`. They run first. */
  readonly examples?: readonly RouteExample[];
  /** Its documented paths; null if it has none. */
  readonly rest: RestForm | readonly RestForm[] | null;
  /** Its GraphQL field. An operation that SQL alone answers needs none here: PostGraphile makes its field from schema api. */
  readonly graphql?: GraphqlForm;
  readonly run?: (work: Work<Parts>, input: never) => Promise<Answer | FileAnswer | ListInPieces>;
}

/** A documented path, with the parts of its OpenAPI description that do not follow from the operation. */
export interface RestForm {
  /**
   * Name of the path in generated clients and among examples, for an operation with several paths on a surface. A path with a name has its own
   * Idempotency-Keys. The name of the operation by default.
   */
  readonly name?: string;
  /** Its surface; the main surface by default. */
  readonly surface?: RestSurface;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** The path below the prefix of the surface. Members of the input in braces come from the path, others from the query (GET) or the body. */
  readonly path: string;
  /** Status of a success, if the command does not return one itself. */
  readonly status: number;
  /** A heading of `/docs`: a tag of the service's description. */
  readonly tag: string;
  readonly summary: string;
  /** CommonMark, if the summary is not enough. */
  readonly description?: string;
  /**
   * It takes the file, with members beside it, and no JSON. The operation's other paths on the surface still read a form, but
   * describe JSON alone: generators of clients make one type for one body.
   */
  readonly takes?: "file";
  /** Whether it takes the session of a person beside a token, on the main surface. Elsewhere the cookie of a session is as if absent. */
  readonly session?: true;
}

/** A file that a request contains, in multipart/form-data. */
export type FileInput<Parts> = {
  /** The largest file, in bytes. */
  readonly most: (parts: Parts) => number;
} & (
  | {
      /**
       * The file is hashed as it arrives and thrown away. It provides the members sha256, file_name and file_size of the input,
       * and the same request may be JSON with these members, except on a path that takes only the file.
       */
      readonly kept: "digest";
      /** Whether the form may have those members instead of the file. */
      readonly orMembers?: true;
    }
  | {
      /** `run` gets the content, in memory. */
      readonly kept: "bytes";
    }
  | {
      /**
       * The content goes somewhere as it arrives, and is never in memory as a whole. It is removed again when the request is refused, by
       * the surface or by `run`. When `run` fails in another way, its transaction may have been committed, and the content stays.
       * `run` itself calls `discard` when its answer is a replayed one, which names other content.
       */
      readonly kept: "stored";
      /** The answer alone needs it: no row names it, and `run` calls `discard` when it is done. */
      readonly isTemporary?: true;
      /**
       * Called once the caller's right is checked and before the body is read. What it answers takes the content as it arrives: the
       * first file of the request, once for each field of GraphQL that names it.
       */
      readonly store: (parts: Parts, requester: Omit<Requester, "idempotency">) => Promise<StoreContent>;
    }
);

/** Whether an operation gets the content of its file: members in JSON cannot stand for it. */
export const takesContent = (file: { readonly kept: FileInput<never>["kept"] } | undefined): boolean =>
  file !== undefined && file.kept !== "digest";

/**
 * Stores content. When it throws, nothing is stored, and the content is closed.
 * @throws PayloadTooLargeError for content of more bytes than allowed
 * @throws StorageError `full` and `away` are answered with 503
 * @throws the content's own error; the reason of the signal, which is aborted when the sender goes away
 */
export type StoreContent = (
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
) => Promise<StoredFile>;

/** Content that was stored. */
export interface StoredFile {
  /** What finds it again. */
  readonly id: string;
  readonly sha256: Buffer;
  readonly bytes: number;
  /** Reads it, where the operation needs it for its answer. */
  readonly read?: () => AsyncIterable<Buffer>;
  /** Removes it again. */
  readonly discard: () => Promise<void>;
}

/** A file that has arrived. */
export interface ReceivedFile {
  readonly sha256: Buffer;
  /** Size in bytes. */
  readonly bytes: number;
  /** The name that its sender gave; null without a name. */
  readonly fileName: string | null;
  /** Null unless the operation keeps `bytes`. */
  readonly content: Buffer | null;
  /** Null unless the operation keeps it `stored`. */
  readonly stored: StoredFile | null;
}

export type Answers =
  /**
   * JSON of this schema: a schema of the service's description; or a row of the view `row`; or, if its name ends with Page, a
   * page of the schema named before Page. `with` has members beside the row: REST answers them in the same object, GraphQL beside the
   * object of the row. `statuses` names each status with its meaning, if there are several.
   */
  | {
      readonly schema: string;
      readonly row?: string;
      readonly with?: z.ZodObject;
      readonly statuses?: Readonly<Record<number, string>>;
      /** Whether `run` answers the header `etag`, for `If-None-Match`. */
      readonly isTagged?: true;
      /** The same as a file of this media type, for a request that prefers it in `Accept`: `run` then provides the file ({@link Work.prefers}). */
      readonly or?: FileDescription;
    }
  /** A file of this media type, whole or the part that the request asks for; `run` provides it. */
  | FileDescription
  /** A stream of this media type, which goes on until the client or the server ends it. */
  | { readonly stream: `${string}/${string}`; readonly description: string }
  /** 204, without a body. */
  | { readonly nothing: string };

interface FileDescription {
  readonly file: `${string}/${string}`;
  readonly description: string;
}

/** An answer that is a file, sent whole or in the part that the request asks for. */
export interface FileAnswer {
  readonly file: FileSource;
  readonly contentType: string;
  /** The file name that browsers propose for saving; ASCII, unless `as` says otherwise. */
  readonly fileName: string;
  /** Saved and never shown, under any name that somebody gave it. */
  readonly as?: "attachment";
  /** A file of a stranger, shown on our origin: nothing of it may run. */
  readonly isForeign?: true;
}

/**
 * A list that is never in memory as a whole. The answer has begun once its second piece is asked for: what fails then cuts the answer off, before
 * the end of its JSON.
 */
export interface ListInPieces {
  /** Arrays as JSON text, none of them empty. The next piece is asked for while a reader takes the last one. */
  readonly pieces: AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The GraphQL form of an operation with a `run`: a mutation if it writes, otherwise a query. */
export interface GraphqlForm {
  /** The field; the name of the operation by default. */
  readonly field?: string;
  readonly description: string;
  /** The example of an operation without a documented path, whose `examples` would have no path to call. */
  readonly example?: GraphqlExample;
  /** A second field that takes the file, while the main field takes members instead. Without it the main field takes the file. This field always needs a token, even if the command does not. */
  readonly upload?: { readonly field: string; readonly description: string };
  /**
   * A document asks for one such field at most, once: what asks programs of others, or answers a whole file. Queries of a document run at once, so their aliases
   * would be as many requests of REST, which is counted by requests.
   */
  readonly isOncePerDocument?: true;
  /** The member of the input that names what a deletion took away. The payload has this member, as it was given. */
  readonly gone?: string;
  readonly payload: Payload;
}

/** A request shown in the description of the field. It is validated when the schema is built. */
export interface GraphqlExample {
  /** One GraphQL operation that asks the field. */
  readonly document: string;
  /** A file is null in the variables, as in a GraphQL multipart request. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * The content of a GraphQL field, made from the JSON that the operation answers. It is an object type with these members, written in snake case as
 * in JSON; a single row ({@link rowOf}) among them is the answer itself. Or it is the row of `answers` under a name, with the members that
 * `answers` has beside it. Or it is the answer as one value.
 */
export type Payload = ShownPayload | RowPayload;
export type ShownPayload =
  | { readonly name: string; readonly description: string; readonly members: z.ZodObject }
  | { readonly value: z.ZodType };
interface RowPayload {
  readonly name: string;
  readonly description: string;
  readonly row: { readonly name: string; readonly description: string };
}

/**
 * A row of a view of schema api, whose GraphQL type exists already.
 * @param schema the name of the row's schema in the REST description, where the row stands among members beside it
 */
export const rowOf = (view: keyof Views | (string & {}), schema?: string) =>
  z.looseObject({}).meta({ view, ...(schema === undefined ? {} : { schema }) });

/** A member whose form only the REST description says. GraphQL shows it as one value, with the names of REST. */
export const jsonOf = (description: string, isNullable = false) =>
  z.unknown().meta({ json: true, nullable: isNullable, description });

/** A member that is a name in a reference table, such as `signature.envelope_statuses`. GraphQL has an enum of the table. */
export const nameOf = (table: string, description: string) => z.string().meta({ namesOf: table, description });

/** A request that was admitted and whose shape was checked. */
export interface Work<Parts> {
  readonly parts: Parts;
  /** The file of the request; null without a file. */
  readonly file: ReceivedFile | null;
  /** What the caller prefers of an answer that has two forms. */
  readonly prefers: "json" | "file";
  /**
   * Runs a command as the caller of the request. A command that writes claims the request's Idempotency-Key. A command that only reads looks
   * for an answer stored under the key.
   */
  call(command: AnyCommand, parameters: Readonly<Record<string, unknown>>, status?: number): Promise<Answer>;
  /**
   * Prepare, act, record. Calls a command that only reads, and passes its body to the given function. The function acts outside the database and
   * ends with a `call` of the command that records. If the request's Idempotency-Key has an answer already, that answer is returned and nothing is done.
   */
  prepared<Body>(
    command: AnyCommand,
    parameters: Readonly<Record<string, unknown>>,
    act: (body: Body) => Promise<Answer>,
  ): Promise<Answer>;
  /** The caller, only for the hot path of proofs, which batches calls of several requests. Other operations use `call`. */
  readonly requester: Requester;
}

/** The caller, and the request. */
export interface Requester {
  /** SHA-256 of the credential's secret; null for operations that need no credential. */
  readonly credentialHash: Buffer | null;
  readonly origin: Origin;
  readonly idempotency: Idempotency | null;
  /** The Idempotency-Key of an operation that keeps it ({@link Operation.keepsKey}); null without one. */
  readonly keptKey?: string | null;
  /** What the surface reads from headers of the request for commands that have parameters of these names. */
  readonly ofHeaders?: Readonly<Record<string, string | null>>;
}

type FactsOf<Command extends AnyCommand> = Command extends CommandName ? (typeof commands)[Command] : Command;
type ParametersOf<Command extends AnyCommand> =
  FactsOf<Command> extends { readonly items: infer Items } ? Items : FactsOf<Command>["arguments"];
type ValueOf<P> = P extends { readonly type: "text[]" | "uuid[]" }
  ? readonly string[]
  : P extends { readonly type: "bigint" | "double precision" | "integer" | "smallint" }
    ? number
    : P extends { readonly type: "boolean" }
      ? boolean
      : string;
type OrNull<P> = P extends { readonly nullable: false } ? never : null;

/** The argument of `run`: the command's parameters as a caller gives them, and the operation's own members. */
type InputOf<Command extends AnyCommand, Made, Own extends z.ZodObject> = Given<
  ParametersOf<Command>,
  Made | keyof Own["shape"]
> & { readonly [Name in keyof Own["shape"]]: z.output<Own["shape"][Name]> };
type Given<Parameters, Left> = {
  readonly [Name in keyof Parameters as Name extends Left
    ? never
    : Parameters[Name] extends { readonly optional: false }
      ? Name
      : never]: ValueOf<Parameters[Name]>;
} & {
  readonly [Name in keyof Parameters as Name extends Left
    ? never
    : Parameters[Name] extends { readonly optional: true }
      ? Name
      : never]?: ValueOf<Parameters[Name]> | OrNull<Parameters[Name]> | undefined;
};

type Definition<Parts, Command extends AnyCommand, Made extends string, Own extends z.ZodObject> = Omit<
  Operation<Parts>,
  "command" | "made" | "input" | "run"
> & {
  readonly command: Command;
  readonly made?: readonly Made[];
  readonly input?: Own;
  readonly run: (work: Work<Parts>, input: InputOf<Command, Made, Own>) => Promise<Answer | FileAnswer | ListInPieces>;
};

/** Defines operations with a `run` for a service: fixes the type of its parts, and infers the input of each operation. */
export const operationsOf =
  <Parts>() =>
  <
    const Command extends AnyCommand,
    const Made extends string = never,
    Own extends z.ZodObject = z.ZodObject<Record<never, never>>,
  >(
    definition: Definition<Parts, Command, Made, Own>,
  ): Operation<Parts> =>
    // The only place where the type of the input is lost.
    definition as unknown as Operation<Parts>;

/** The documented paths of an operation, each with its name. */
export function formsOf<Parts>({ name, rest }: Pick<Operation<Parts>, "name" | "rest">): (RestForm & {
  readonly name: string;
})[] {
  const forms = rest === null ? [] : ([rest].flat() as readonly RestForm[]);
  return forms.map((form) => ({ ...form, name: form.name ?? name }));
}

/** The GraphQL fields of an operation: its own field, and the field that takes its file. */
export function fieldNamesOf<Parts>({ name, graphql }: Pick<Operation<Parts>, "name" | "graphql">): string[] {
  if (graphql === undefined) return [];
  const { field = name, upload } = graphql;
  return upload === undefined ? [field] : [field, upload.field];
}

/**
 * Whether a request in this form may have an Idempotency-Key. A GET has no effect that a key could protect. Keys belong to an organization,
 * and a request without a credential has none. What a surface of sessions does to one session must not be answered for another.
 */
export const takesKey = <Parts>(
  operation: Pick<Operation<Parts>, "command" | "records" | "isKeyless">,
  { method, surface }: Pick<RestForm, "method" | "surface">,
): boolean =>
  method !== "GET" &&
  operation.isKeyless !== true &&
  surface?.takesSessions === undefined &&
  writes(operation) &&
  commandFacts(operation.command).scope !== null;

/** Whether an operation writes, and so takes an Idempotency-Key. */
export function writes<Parts>({ command, records }: Pick<Operation<Parts>, "command" | "records">): boolean {
  return records !== undefined || commandFacts(command).writes;
}
