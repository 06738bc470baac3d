import "./setup.ts";
import { camelCase, upperFirst } from "graphile-build";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import { Arg, Ctx, Field, InputType, Mutation, Query, Resolver } from "type-graphql";
import { z } from "zod";
import { commandFacts } from "../../postgres/any-command.ts";
import type { Parameter } from "../../postgres/command.ts";
import { namingTheFile, OF_FILE, withMembersOf } from "../file-members.ts";
import { parseShape } from "../http/shape.ts";
import { inputOf } from "../input.ts";
import { membersOf, type Schema, simplified } from "../openapi/schema.ts";
import {
  type FileInput,
  type Operation,
  type ReceivedFile,
  type Requester,
  takesContent,
  writes,
} from "../operation.ts";
import { takerOf, unlessRefused } from "../take-file.ts";
import { keyFor, workOf } from "../work.ts";
import type { GraphqlContext, GraphqlParts, ResolverClass } from "./context.ts";
import { exampleText } from "./examples.ts";
import { givenMembers } from "./given-members.ts";
import { keptKeyMember, withoutKeptKey } from "./kept-key.ts";
import { answerTypeOf, inputTypeOf, payloadOf, shownAs } from "./payload-types.ts";
import { INPUT_WORDS } from "./schema/descriptions.ts";
import { takeUpload } from "./uploads.ts";

/** A field made from an operation. */
interface OperationField<Parts> {
  readonly field: string;
  readonly description: string;
  readonly file: FileInput<Parts> | null;
}

type Given = Readonly<Record<string, unknown>>;
type Parameters = Readonly<Record<string, Parameter>>;

/**
 * The resolvers of an operation: a mutation if it writes, otherwise a query. TypeGraphQL's decorators are applied as functions
 * to a class made from the operation's shapes. TypeGraphQL keeps all classes forever, so each operation has one. Null for an operation without `graphql`.
 */
export function resolverOf<Parts extends GraphqlParts>(operation: Operation<Parts>): ResolverClass | null {
  if (operation.graphql === undefined) return null;
  const made = resolvers.get(operation);
  if (made !== undefined) return made;
  class Fields {}
  const prototype = Fields.prototype as Record<string, unknown>;
  const payload = payloadOf(operation);
  const { gone } = operation.graphql;
  const whole = z.strictObject({ ...inputOf(operation, "json"), ...keptKeyMember(operation) });
  const facts = commandFacts(operation.command);
  const parameters = facts.items ?? facts.arguments;
  for (const { field, description, file } of fieldsOf(operation)) {
    const shape = file?.kept === "digest" ? besideTheFile(whole) : whole;
    const resolve = async (given: Given, context: GraphqlContext<Parts>) => {
      const requester = context.requesterOf(operation.command); // first, so that a missing right is reported before other faults
      // A token that may only upload files of other operations is refused before this file is read.
      if (file !== null && requester.credentialHash !== null)
        await context.parts.database.authorize(requester.credentialHash, operation.command);
      const { members, received } = await readInput(file, shape, whole, given, context, requester);
      const takesKey = writes(operation) && operation.isKeyless !== true;
      const idempotency = takesKey ? context.idempotency(received === null ? [] : [ofFile(received)]) : null;
      const answer = await unlessRefused(received, () => {
        const keys = keyFor(operation, idempotency);
        const { key: keptKey, input } = withoutKeptKey(members, keys.keptKey ?? null);
        const ofHeaders = { accept_language: context.acceptLanguage };
        const work = workOf(context.parts, { ...requester, ...keys, keptKey, ofHeaders }, received);
        return (operation.run as (work: unknown, input: unknown) => Promise<never>)(work, input);
      });
      // A public command runs without the token, so Postgres has not checked the token.
      const body = requester.credentialHash === null ? context.answered(answer) : context.admitted(answer);
      return shownAs(payload, gone === undefined ? body : { ...(body as object), [gone]: members[gone] });
    };
    const root = writes(operation) ? Mutation : Query;
    // GraphQL has no input without members.
    const takesInput = writes(operation) && (file !== null || Object.keys(shape.shape).length > 0);
    if (takesInput) addInput(prototype, field, shape, parameters, file !== null, resolve);
    else addArguments(prototype, field, shape, parameters, resolve);
    const property = Object.getOwnPropertyDescriptor(prototype, field);
    root(answerTypeOf(payload), { nullable: true, description })(prototype, field, property as never);
  }
  Resolver()(Fields);
  resolvers.set(operation, Fields);
  return Fields;
}

const resolvers = new WeakMap<object, ResolverClass>();

function fieldsOf<Parts>({ name, graphql, file }: Operation<Parts>): OperationField<Parts>[] {
  if (graphql === undefined) return [];
  const { field = name, upload, example } = graphql;
  const description = `${graphql.description}${example === undefined ? "" : exampleText(example)}`;
  if (file !== undefined && takesContent(file)) return [{ field, description, file }];
  return [
    { field, description, file: null },
    ...(upload === undefined || file === undefined ? [] : [{ ...upload, file }]),
  ];
}

/** The members that a caller gives beside the file. */
function besideTheFile({ shape }: z.ZodObject): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => !OF_FILE.has(name))));
}

/** A mutation takes one argument, `input`, unless it takes nothing. */
function addInput(
  prototype: Record<string, unknown>,
  field: string,
  shape: z.ZodObject,
  parameters: Parameters,
  takesFile: boolean,
  resolve: (given: Given, context: never) => unknown,
): void {
  class Input {}
  for (const member of membersOf(shape)) {
    const { type, options } = inputTypeOf(member, parameters[member.name]);
    Field(type, options)(Input.prototype, camelCase(member.name));
  }
  if (takesFile)
    Field(() => GraphQLUpload, { description: "The file, as a part of a GraphQL multipart request." })(
      Input.prototype,
      "file",
    );
  InputType(`${upperFirst(field)}Input`, { description: `The input of ${field}.` })(Input);
  prototype[field] = resolve;
  Arg("input", () => Input, { description: INPUT_WORDS })(prototype, field, 0);
  Ctx()(prototype, field, 1);
}

/** A query takes its members as arguments. */
function addArguments(
  prototype: Record<string, unknown>,
  field: string,
  shape: z.ZodObject,
  parameters: Parameters,
  resolve: (given: Given, context: never) => unknown,
): void {
  const members = membersOf(shape);
  prototype[field] = (...values: unknown[]) =>
    resolve(
      Object.fromEntries(members.map(({ name }, place) => [camelCase(name), values[place]])),
      values.at(-1) as never,
    );
  for (const [place, member] of members.entries()) {
    const { type, options } = inputTypeOf(member, parameters[member.name]);
    Arg(camelCase(member.name), type, options)(prototype, field, place);
  }
  Ctx()(prototype, field, members.length);
}

/** @param whole the shape of the same request without a file */
async function readInput<Parts extends GraphqlParts>(
  file: FileInput<Parts> | null,
  shape: z.ZodObject,
  whole: z.ZodObject,
  given: Given,
  { parts, brokenOff }: GraphqlContext<Parts>,
  requester: Omit<Requester, "idempotency">,
): Promise<{ readonly members: Given; readonly received: ReceivedFile | null }> {
  const written = inSnakeCase(given, shape);
  if (file === null) return { members: parseShape(shape, written), received: null };
  const take = async () => {
    const taker = await takerOf(file, parts, requester, brokenOff());
    return takeUpload(given["file"] as Promise<FileUpload>, file.most(parts), taker);
  };
  // What can be refused without the file is refused before it is stored.
  if (takesContent(file)) return { members: parseShape(shape, written), received: await take() };
  const received = await take();
  return { members: namingTheFile(() => parseShape(whole, withMembersOf(received, written, whole.shape))), received };
}

/** Renames members as in JSON, those of objects within, too. */
function inSnakeCase(given: Given, shape: z.ZodObject): Record<string, unknown> {
  const members = membersOf(shape).map(({ name, schema }) => [name, asJson(given[camelCase(name)], schema)] as const);
  return givenMembers(members, (name) => (shape.shape[name] as z.ZodType).safeParse(null).success);
}

function asJson(value: unknown, schema: Schema): unknown {
  // A BigInt arrives as a text of digits.
  if (typeof value === "string") return schema["format"] === "int64" ? Number(value) : value;
  if (typeof value !== "object" || value === null || schema["json"] === true) return value;
  const { items, properties } = simplified(schema);
  if (Array.isArray(value)) return value.map((entry) => asJson(entry, (items ?? {}) as Schema));
  if (properties === undefined) return value;
  const within = Object.entries(properties as Readonly<Record<string, Schema>>).map(
    ([name, member]) => [name, asJson((value as Given)[camelCase(name)], member)] as const,
  );
  return givenMembers(within, (name) => takesNull((properties as Readonly<Record<string, Schema>>)[name] ?? {}));
}

const takesNull = (schema: Schema): boolean => [simplified(schema)["type"]].flat().includes("null");

/** Identifies the file of a repeated request, because the variables do not contain it. */
const ofFile = ({ sha256, fileName }: ReceivedFile) => ({ file: sha256.toString("hex"), file_name: fileName });
