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
import { type FieldError, invalidRequest, MOST_FIELD_ERRORS, malformedRequest } from "../../app-error.ts";
import { parseShape } from "../http/shape.ts";
import { isWritable, UNWRITABLE } from "../wire-text.ts";

/** Documents of people and programs are far smaller; nothing this long is parsed. */
const MOST_QUERY_CHARACTERS = 64 * 1024;

/** Of a document. A token is a name, a number or a sign; parsing stops beyond. */
export const MOST_TOKENS = 2_000;

const operationRequest = z.strictObject({
  query: z.string().min(1).max(MOST_QUERY_CHARACTERS, `must have at most ${MOST_QUERY_CHARACTERS} characters`),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  extensions: z
    .record(z.string(), z.unknown())
    .refine((extensions) => !("persistedQuery" in extensions), "must not ask for a persisted query")
    .nullish(),
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
 * The operation in the query of an address (GraphQL over HTTP §5.2). An empty member counts as absent: forms send such ones.
 * @throws AppError 400 malformed_request for members that have to be JSON and are not; 422 invalid_request as a body
 */
export function readAddressedOperation(members: Readonly<Record<string, unknown>>): OperationRequest {
  const given = Object.entries(members).filter(([name, value]) => name === "query" || value !== "");
  return readOperationRequest(Object.fromEntries(given.map(([name, value]) => [name, addressedMember(name, value)])));
}

function addressedMember(name: string, value: unknown): unknown {
  if (typeof value !== "string" || (name !== "variables" && name !== "extensions")) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw malformedRequest(`${name} of the address is not JSON.`);
  }
}

/**
 * The variables of an operation as the schema reads them.
 * @throws AppError 422 invalid_request naming each wrong one by its path in the request
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

/** Found in the schema once for as long as the document is kept, which one schema validated. */
function declaredVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly DeclaredVariable[] {
  const known = declared.get(operation);
  if (known !== undefined) return known;
  const found = (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode as Parameters<typeof typeFromAST>[1]);
    // Another type is refused by validation.
    return isInputType(type) ? [{ name: variable.name.value, type, defaultValue }] : [];
  });
  declared.set(operation, found);
  return found;
}

/** Values are far flatter; deeper ones would end the stack. */
const MOST_LEVELS = 64;

/** Texts that Postgres cannot hold, or that would be another text there, wherever they stand in a value. */
function collectUnwritable(value: unknown, field: string, wrong: FieldError[], level = 0): void {
  if (typeof value === "string") {
    if (!isWritable(value)) add(wrong, { field, message: UNWRITABLE });
  } else if (typeof value === "object" && value !== null && !(value instanceof Upload)) {
    if (level === MOST_LEVELS)
      throw invalidRequest([{ field: "variables", message: `must be nested at most ${MOST_LEVELS} levels deep` }]);
    for (const [name, member] of Object.entries(value)) collectUnwritable(member, `${field}.${name}`, wrong, level + 1);
  }
}

/**
 * Adds a wrong member. Nothing looks for more of them than an answer names.
 * @throws AppError 422 invalid_request with what was found, when that is enough
 */
function add(wrong: FieldError[], error: FieldError): void {
  wrong.push(error);
  if (wrong.length >= MOST_FIELD_ERRORS) throw invalidRequest(wrong);
}

/** The same for texts in the document. */
export const WritableTextRule: ValidationRule = (context) => ({
  [Kind.STRING](node) {
    if (!isWritable(node.value)) context.reportError(new GraphQLError(`Text ${UNWRITABLE}.`, { nodes: node }));
  },
});

/** The root fields an operation selects, through its fragments, each as often as it stands there; `__typename` is none. */
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
