import { z } from "zod";
import { type AnyCommand, commandFacts } from "../postgres/any-command.ts";
import type { Answer, Idempotency, Origin } from "../postgres/call.ts";
import type { CommandName, commands } from "../postgres/generated/commands.ts";
import type { Views } from "../postgres/generated/views.ts";
import type { RouteExample } from "./openapi/examples/example-request.ts";
import type { FileSource } from "./rest/file-source.ts";
import type { RestSurface } from "./rest/surface.ts";

/**
 * What a service can be asked, said once: REST, its description and GraphQL are made from it. What SQL alone answers is data;
 * `run` stands only where TypeScript must act before, between or after calls of the database.
 */
export interface Operation<Parts = never> {
  /** Its name in generated clients and among examples. */
  readonly name: string;
  /** The function in schema api or gateway that answers, or is called first. It says which scope is needed and what it takes. */
  readonly command: AnyCommand;
  /** The function that `run` calls last, where `command` only reads: then the operation writes, and takes an Idempotency-Key. */
  readonly records?: AnyCommand;
  /** Members of the input whose shape SQL cannot say, or that SQL does not take; all others are parameters of the command. */
  readonly input?: z.ZodObject;
  /** Parameters of the command that `run` makes, and no caller gives. */
  readonly made?: readonly string[];
  /** A file that is part of the input. */
  readonly file?: FileInput<Parts>;
  /** What a success holds, in REST. */
  readonly answers?: Answers;
  /** Error codes beyond those that follow from its shape, see openapi/errors.ts. */
  readonly errors?: readonly string[];
  /** Requests whose real answers the documentation shows, beside those of the service's `examples`. They are made first. */
  readonly examples?: readonly RouteExample[];
  /** Its documented paths; null where it has none. */
  readonly rest: RestForm | readonly RestForm[] | null;
  /** Its field of GraphQL. What SQL alone answers has one already: PostGraphile makes it of schema api. */
  readonly graphql?: GraphqlForm;
  readonly run?: (work: Work<Parts>, input: never) => Promise<Answer | FileAnswer>;
}

/** A documented path, and what the OpenAPI document says of it beyond what follows from the operation. */
export interface RestForm {
  /**
   * Its own name in generated clients and among examples, where the operation has several paths on a surface. Its Idempotency-Keys
   * are then its own, too. The name of the operation by default.
   */
  readonly name?: string;
  /** What it belongs to; the main surface where it is absent. */
  readonly surface?: RestSurface;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the prefix of the surface. Members of the input in braces come from the path, others from the query (GET) or the body. */
  readonly path: string;
  /** Status of a success, where the command does not name one itself. */
  readonly status: number;
  /** A heading of `/docs`: a tag of the service's description. */
  readonly tag: string;
  readonly summary: string;
  /** CommonMark, where the summary is not enough. */
  readonly description?: string;
  /**
   * It takes the file, with members beside it, and no JSON. The operation's other paths on the surface still read a form, but
   * describe JSON alone: generators of clients make one type for one body.
   */
  readonly takes?: "file";
}

/** A file that a request brings along, in multipart/form-data. */
export interface FileInput<Parts> {
  /** In bytes. */
  readonly most: (parts: Parts) => number;
  /**
   * `digest`: it is hashed as it arrives and thrown away; members of the input named sha256, file_name and file_size come from it,
   * and the same request may be JSON with these members, but on a path that takes the file alone. `bytes`: `run` is given what it holds.
   */
  readonly kept: "digest" | "bytes";
  /** Whether the form may have those members in place of the file. */
  readonly orMembers?: true;
}

/** A file that has arrived. */
export interface ReceivedFile {
  readonly sha256: Buffer;
  /** How many. */
  readonly bytes: number;
  /** As its sender names it; null when it has no name. */
  readonly fileName: string | null;
  /** Null where it is not kept. */
  readonly content: Buffer | null;
}

export type Answers =
  /**
   * JSON of this schema: one of the service's description; or a row of the view `row`; or, where its name ends with Page, a
   * page of the schema named before that. `with` has members beside the row: REST answers them in the same object, GraphQL beside the
   * object that is the row. `statuses` where there are several, with what each means.
   */
  | {
      readonly schema: string;
      readonly row?: string;
      readonly with?: z.ZodObject;
      readonly statuses?: Readonly<Record<number, string>>;
    }
  /** A file of this media type, whole or in part as the request asks for it; `run` gives it. */
  | { readonly file: `${string}/${string}`; readonly description: string }
  /** Something that goes on until one of the two ends it, of this media type. */
  | { readonly stream: `${string}/${string}`; readonly description: string }
  /** 204. */
  | { readonly nothing: string };

/** An answer that is a file: sent whole or in part, as the request asks for it. */
export interface FileAnswer {
  readonly file: FileSource;
  readonly contentType: string;
  /** The name that browsers propose when the file is saved; ASCII. */
  readonly fileName: string;
}

/** How GraphQL shows an operation that has a `run`: as a mutation where it writes, as a query where it does not. */
export interface GraphqlForm {
  /** The field; the name of the operation by default. */
  readonly field?: string;
  readonly description: string;
  /** Of an operation without a documented path, whose `examples` would have none to ask. */
  readonly example?: GraphqlExample;
  /** The field that takes the file, beside the one that takes members in its place; the field itself takes it where absent. It needs a token, whatever the command asks for. */
  readonly upload?: { readonly field: string; readonly description: string };
  readonly payload: Payload;
}

/** A request that the description of the field shows. It is validated when the schema is built. */
export interface GraphqlExample {
  /** One operation of GraphQL that asks the field. */
  readonly document: string;
  /** A file is null in them, as in a GraphQL multipart request. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * What a field of GraphQL is, made from the JSON that the operation answers: an object type with these members, written in snake case as they
 * are in JSON, where a single row ({@link rowOf}) is the answer itself; or the row of `answers` under a name, with the members that
 * `answers` has beside it; or the answer as one value.
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
 * A row of a view of schema api; GraphQL has its type.
 * @param schema what the description of REST calls it, where it stands among members beside a row
 */
export const rowOf = (view: keyof Views | (string & {}), schema?: string) =>
  z.looseObject({}).meta({ view, ...(schema === undefined ? {} : { schema }) });

/** One request that is let in and whose shape is checked. */
export interface Work<Parts> {
  readonly parts: Parts;
  /** What the request brought along; null without a file. */
  readonly file: ReceivedFile | null;
  /**
   * Runs a command as the caller of the request. One that writes claims the request's Idempotency-Key; one that only reads looks
   * whether an answer is kept under it.
   */
  call(command: AnyCommand, parameters: Readonly<Record<string, unknown>>, status?: number): Promise<Answer>;
  /**
   * Prepare → act → record: calls a command that only reads, then does what is given with its body. That acts outside of the database, and
   * ends with a `call` of the command that records. A request whose Idempotency-Key has an answer already gets it, and nothing is done.
   */
  prepared<Body>(
    command: AnyCommand,
    parameters: Readonly<Record<string, unknown>>,
    act: (body: Body) => Promise<Answer>,
  ): Promise<Answer>;
  /** Who asks: for the hot path of proofs, which batches calls of several requests. Others use `call`. */
  readonly requester: Requester;
}

/** Who asks, and by which request. */
export interface Requester {
  /** SHA-256 of the credential's secret; null for what anyone may ask. */
  readonly credentialHash: Buffer | null;
  readonly origin: Origin;
  readonly idempotency: Idempotency | null;
}

type FactsOf<Command extends AnyCommand> = Command extends CommandName ? (typeof commands)[Command] : Command;
type ParametersOf<Command extends AnyCommand> =
  FactsOf<Command> extends { readonly items: infer Items } ? Items : FactsOf<Command>["arguments"];
type ValueOf<P> = P extends { readonly type: "text[]" }
  ? readonly string[]
  : P extends { readonly type: "bigint" | "integer" | "smallint" }
    ? number
    : P extends { readonly type: "boolean" }
      ? boolean
      : string;
type OrNull<P> = P extends { readonly nullable: false } ? never : null;

/** What `run` is given: the command's parameters as a caller gives them, and the operation's own members. */
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
  readonly run: (work: Work<Parts>, input: InputOf<Command, Made, Own>) => Promise<Answer | FileAnswer>;
};

/** Defines operations with a `run` for a service: fixes its parts, and infers the input of each. */
export const operationsOf =
  <Parts>() =>
  <
    const Command extends AnyCommand,
    const Made extends string = never,
    Own extends z.ZodObject = z.ZodObject<Record<never, never>>,
  >(
    definition: Definition<Parts, Command, Made, Own>,
  ): Operation<Parts> =>
    // The one place where the type of the input is forgotten.
    definition as unknown as Operation<Parts>;

/** The documented paths of an operation, each with its name. */
export function formsOf<Parts>({ name, rest }: Pick<Operation<Parts>, "name" | "rest">): (RestForm & {
  readonly name: string;
})[] {
  const forms = rest === null ? [] : ([rest].flat() as readonly RestForm[]);
  return forms.map((form) => ({ ...form, name: form.name ?? name }));
}

/** The fields of GraphQL that an operation becomes: its own, and the one that takes its file. */
export function fieldNamesOf<Parts>({ name, graphql }: Pick<Operation<Parts>, "name" | "graphql">): string[] {
  if (graphql === undefined) return [];
  const { field = name, upload } = graphql;
  return upload === undefined ? [field] : [field, upload.field];
}

/** Whether a request in this form may have an Idempotency-Key: one by GET is not repeated for its effect. */
export const takesKey = <Parts>(operation: Pick<Operation<Parts>, "command" | "records">, method: string): boolean =>
  method !== "GET" && writes(operation);

/** Whether an operation writes, and so takes an Idempotency-Key. */
export function writes<Parts>({ command, records }: Pick<Operation<Parts>, "command" | "records">): boolean {
  return records !== undefined || commandFacts(command).writes;
}
