import "./setup.ts";
import { camelCase, upperFirst } from "graphile-build";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import { Arg, Ctx, Field, InputType, Mutation, Query, Resolver } from "type-graphql";
import { z } from "zod";
import { namingTheFile, OF_FILE, withMembersOf } from "../file-members.ts";
import { parseShape } from "../http/shape.ts";
import { inputOf } from "../input.ts";
import { membersOf } from "../openapi/schema.ts";
import { type FileInput, type Operation, type ReceivedFile, writes } from "../operation.ts";
import { workOf } from "../work.ts";
import type { GraphqlContext, GraphqlParts, ResolverClass } from "./context.ts";
import { exampleText } from "./examples.ts";
import { givenMembers } from "./given-members.ts";
import { answerTypeOf, inputTypeOf, payloadOf, shownAs } from "./payload-types.ts";
import { digestOfUpload } from "./uploads.ts";

/** A field that is made of an operation. */
interface OperationField<Parts> {
  readonly field: string;
  readonly description: string;
  readonly file: FileInput<Parts> | null;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * The resolvers of an operation: a mutation where it writes, a query where it does not. TypeGraphQL's decorators are functions, applied here
 * to a class that is made from the operation's shapes. TypeGraphQL keeps all classes for good, so each operation has one; null without a `graphql`.
 */
export function resolverOf<Parts extends GraphqlParts>(operation: Operation<Parts>): ResolverClass | null {
  if (operation.graphql === undefined) return null;
  const made = resolvers.get(operation);
  if (made !== undefined) return made;
  class Fields {}
  const prototype = Fields.prototype as Record<string, unknown>;
  const payload = payloadOf(operation);
  const whole = z.strictObject(inputOf(operation, "json"));
  for (const { field, description, file } of fieldsOf(operation)) {
    const shape = file?.kept === "digest" ? besideTheFile(whole) : whole;
    const resolve = async (given: Given, context: GraphqlContext<Parts>) => {
      const requester = context.requesterOf(operation.command); // who may not ask is told so first
      // A token that may upload something else is refused before this file is read.
      if (file !== null && requester.credentialHash !== null)
        await context.parts.database.authorize(requester.credentialHash, operation.command);
      const { input, received } = await readInput(file, shape, whole, given, context);
      const idempotency = writes(operation) ? context.idempotency(received === null ? [] : [ofFile(received)]) : null;
      const work = workOf(context.parts, { ...requester, idempotency }, received);
      const answer = await (operation.run as (work: unknown, input: unknown) => Promise<never>)(work, input);
      // A command for anyone was called without the token, which nobody has looked at then.
      const body = requester.credentialHash === null ? context.answered(answer) : context.admitted(answer);
      return shownAs(payload, body);
    };
    const root = writes(operation) ? Mutation : Query;
    if (writes(operation)) addInput(prototype, field, shape, file !== null, resolve);
    else addArguments(prototype, field, shape, resolve);
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
  if (file?.kept === "bytes") return [{ field, description, file }];
  return [
    { field, description, file: null },
    ...(upload === undefined || file === undefined ? [] : [{ ...upload, file }]),
  ];
}

/** What a caller gives, beside the file. */
function besideTheFile({ shape }: z.ZodObject): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => !OF_FILE.has(name))));
}

/** A mutation takes one argument, `input`. */
function addInput(
  prototype: Record<string, unknown>,
  field: string,
  shape: z.ZodObject,
  takesFile: boolean,
  resolve: (given: Given, context: never) => unknown,
): void {
  class Input {}
  for (const member of membersOf(shape)) {
    const { type, options } = inputTypeOf(member);
    Field(type, options)(Input.prototype, camelCase(member.name));
  }
  if (takesFile)
    Field(() => GraphQLUpload, { description: "The file, as a part of a GraphQL multipart request." })(
      Input.prototype,
      "file",
    );
  InputType(`${upperFirst(field)}Input`, { description: `What ${field} takes.` })(Input);
  prototype[field] = resolve;
  Arg("input", () => Input, { description: "What is asked for." })(prototype, field, 0);
  Ctx()(prototype, field, 1);
}

/** A query takes its members as arguments. */
function addArguments(
  prototype: Record<string, unknown>,
  field: string,
  shape: z.ZodObject,
  resolve: (given: Given, context: never) => unknown,
): void {
  const members = membersOf(shape);
  prototype[field] = (...values: unknown[]) =>
    resolve(
      Object.fromEntries(members.map(({ name }, place) => [camelCase(name), values[place]])),
      values.at(-1) as never,
    );
  for (const [place, member] of members.entries()) {
    const { type, options } = inputTypeOf(member);
    Arg(camelCase(member.name), type, options)(prototype, field, place);
  }
  Ctx()(prototype, field, members.length);
}

/** @param whole what the same request takes without a file */
async function readInput<Parts extends GraphqlParts>(
  file: FileInput<Parts> | null,
  shape: z.ZodObject,
  whole: z.ZodObject,
  given: Given,
  { parts }: GraphqlContext<Parts>,
): Promise<{ readonly input: unknown; readonly received: ReceivedFile | null }> {
  const members = inSnakeCase(given, shape);
  if (file === null) return { input: parseShape(shape, members), received: null };
  const chunks: Uint8Array[] = [];
  const keep = file.kept === "bytes" ? (chunk: Uint8Array) => chunks.push(chunk) : undefined;
  const digest = await digestOfUpload(given["file"] as Promise<FileUpload>, file.most(parts), keep);
  const received = { ...digest, content: keep === undefined ? null : Buffer.concat(chunks) };
  if (file.kept === "bytes") return { input: parseShape(shape, members), received };
  return { input: namingTheFile(() => parseShape(whole, withMembersOf(received, members, whole.shape))), received };
}

/** Members as JSON names them. */
function inSnakeCase(given: Given, shape: z.ZodObject): Record<string, unknown> {
  const members = membersOf(shape).map(({ name, schema }) => {
    const value = given[camelCase(name)];
    // BigInt is read as a text of digits.
    return [name, schema["format"] === "int64" && typeof value === "string" ? Number(value) : value] as const;
  });
  return givenMembers(members, (name) => (shape.shape[name] as z.ZodType).safeParse(null).success);
}

/** What makes a repeated request the same, beside its variables: they hold no file. */
const ofFile = ({ sha256, fileName }: ReceivedFile) => ({ file: sha256.toString("hex"), file_name: fileName });
