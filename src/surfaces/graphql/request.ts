import {
  type ConstValueNode,
  coerceInputValue,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  typeFromAST,
  type ValidationRule,
  valueFromAST,
} from "graphql";
import Upload from "graphql-upload/Upload.mjs";
import { z } from "zod";
import {
  AppError,
  type FieldError,
  invalidRequest,
  MOST_FIELD_ERRORS,
  malformedRequest,
} from "../../errors/app-error.ts";
import { parseShape } from "../http/shape.ts";
import { isWritable, UNWRITABLE } from "../wire-text.ts";

/** Longest document that is parsed; documents of people and programs are far shorter. */
const MOST_QUERY_CHARACTERS = 64 * 1024;

/** Most tokens of a document. A token is a name, a number or a sign; parsing stops beyond. */
export const MOST_TOKENS = 2_000;

const operationRequest = z.strictObject({
  query: z.string().min(1).max(MOST_QUERY_CHARACTERS, `must have at most ${MOST_QUERY_CHARACTERS} characters`),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});

/** The body of a GraphQL request (GraphQL over HTTP §5.1), of one operation. */
export type OperationRequest = z.output<typeof operationRequest>;

/** @throws AppError 422 invalid_request for a batch, unknown members, and members of the wrong type */
export function readOperationRequest(body: unknown): OperationRequest {
  if (Array.isArray(body))
    throw invalidRequest([{ field: "", message: "must be one operation; batches are not taken" }]);
  return parseShape(operationRequest, body);
}

/**
 * The members in the query of an address as a body has them (GraphQL over HTTP §5.2). An empty member counts as absent, because forms send empty members.
 * @throws AppError 400 malformed_request for members that must be JSON and are not
 */
export function addressedMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(members).filter(([name, value]) => name === "query" || value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name, addressedMember(name, value)]));
}

function addressedMember(name: string, value: unknown): unknown {
  if (typeof value !== "string" || (name !== "variables" && name !== "extensions")) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw malformedRequest(`${name} of the address is not JSON.`);
  }
}

/** Whether a request names its document by a digest, with the document or without (Apollo's protocol of persisted queries). */
export function isPersistedQuery(body: unknown): boolean {
  const { extensions } = (body ?? {}) as { readonly extensions?: { readonly persistedQuery?: unknown } | null };
  return (extensions?.persistedQuery ?? null) !== null;
}

/** The words of Apollo's protocol. Clients compare the whole message, and then send the document itself. */
export const PERSISTED_QUERY_NOT_SUPPORTED = "PersistedQueryNotSupported";

/** 422 invalid_request, in the words of the protocol. */
export function persistedQueryNotSupported(): AppError {
  return new AppError(422, "invalid_request", PERSISTED_QUERY_NOT_SUPPORTED, [
    { field: "extensions.persistedQuery", message: "is not supported; send query alone" },
  ]);
}

/**
 * The variables of an operation as the schema reads them.
 * @throws AppError 422 invalid_request that names each wrong variable by its path in the request
 */
export function readVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const wrong: FieldError[] = [];
  const read: Record<string, unknown> = {};
  for (const { name, type, defaultValue } of declaredVariables(schema, operation)) {
    const field = `variables.${name}`;
    const value = values[name];
    if (value === undefined) {
      if (defaultValue !== undefined) read[name] = valueFromAST(defaultValue, type);
      else if (isNonNullType(type)) wrong.push({ field, message: "is required" });
      continue;
    }
    collectUnwritable(value, field, wrong);
    read[name] = coerceInputValue(value, type, (path, _value, error) => {
      add(wrong, { field: [field, ...path].join("."), message: error.message });
    });
  }
  if (wrong.length > 0) throw invalidRequest(wrong);
  return read;
}

interface DeclaredVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly defaultValue: ConstValueNode | undefined;
}

const declared = new WeakMap<OperationDefinitionNode, readonly DeclaredVariable[]>();

/** Cached for as long as the document is kept, because one schema validated it. */
function declaredVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly DeclaredVariable[] {
  const known = declared.get(operation);
  if (known !== undefined) return known;
  const found = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode as Parameters<typeof typeFromAST>[1]);
    // Validation refuses every other type.
    return isInputType(type) ? [{ name: variable.name.value, type, defaultValue }] : [];
  });
  declared.set(operation, found);
  return found;
}

/** Deepest level of a value: real values are far flatter, and deeper ones could overflow the stack. */
const MOST_LEVELS = 64;

/** Collects texts that Postgres cannot hold, or would change, and lists that are too long, at any depth of a value. */
function collectUnwritable(value: unknown, field: string, wrong: FieldError[], level = 0): void {
  if (typeof value === "string") {
    if (!isWritable(value)) add(wrong, { field, message: UNWRITABLE });
  } else if (typeof value === "object" && value !== null && !(value instanceof Upload)) {
    if (level === MOST_LEVELS)
      throw invalidRequest([{ field: "variables", message: `must be nested at most ${MOST_LEVELS} levels deep` }]);
    // A list in a document has at most as many entries as the document has tokens. Each field that uses a filter evaluates its list again.
    if (Array.isArray(value) && value.length > MOST_TOKENS) {
      add(wrong, { field, message: `must have at most ${MOST_TOKENS} entries` });
      return;
    }
    for (const [name, member] of Object.entries(value)) collectUnwritable(member, `${field}.${name}`, wrong, level + 1);
  }
}

/**
 * Adds a wrong member. The search ends when there are as many as an answer names.
 * @throws AppError 422 invalid_request with the members found, once there are enough
 */
function add(wrong: FieldError[], error: FieldError): void {
  wrong.push(error);
  if (wrong.length >= MOST_FIELD_ERRORS) throw invalidRequest(wrong);
}

/** The same check for texts in the document. */
export const WritableTextRule: ValidationRule = (context) => ({
  [Kind.STRING](node) {
    if (!isWritable(node.value)) context.reportError(new GraphQLError(`Text ${UNWRITABLE}.`, { nodes: node }));
  },
});

/** The root fields that an operation selects, fragments included, each as often as it occurs; without `__typename`. */
export function rootFields(document: DocumentNode, { selectionSet }: OperationDefinitionNode): string[] {
  const collect = (selections: readonly SelectionNode[]): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === "__typename" ? [] : [selection.name.value];
      if (selection.kind === Kind.INLINE_FRAGMENT) return collect(selection.selectionSet.selections);
      return collect(fragmentNamed(document, selection.name.value)?.selectionSet.selections ?? []);
    });
  return collect(selectionSet.selections);
}

function fragmentNamed(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );
}
