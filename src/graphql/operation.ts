import {
  coerceInputValue,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
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
import { type FieldError, invalidRequest } from "../app-error.ts";
import { parseShape } from "../http/shape.ts";

/** Documents of people and programs are far smaller; nothing this long is parsed. */
const MOST_QUERY_CHARACTERS = 64 * 1024;

const operationRequest = z.strictObject({
  query: z.string().min(1).max(MOST_QUERY_CHARACTERS, `must have at most ${MOST_QUERY_CHARACTERS} characters`),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  extensions: z
    .record(z.string(), z.unknown())
    .refine((extensions) => !("persistedQuery" in extensions), "persisted queries are not taken")
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
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode as Parameters<typeof typeFromAST>[1]);
    if (!isInputType(type)) continue; // refused by validation
    const field = `variables.${name}`;
    const value = values[name];
    if (value === undefined) {
      if (defaultValue !== undefined) read[name] = valueFromAST(defaultValue, type);
      else if (isNonNullType(type)) wrong.push({ field, message: "is required" });
      continue;
    }
    collectUnwritable(value, field, wrong);
    read[name] = coerceInputValue(value, type, (path, _value, error) => {
      wrong.push({ field: [field, ...path].join("."), message: error.message });
    });
  }
  if (wrong.length > 0) throw invalidRequest(wrong);
  return read;
}

/** Texts that Postgres cannot hold, or that would be another text there, wherever they stand in a value. */
function collectUnwritable(value: unknown, field: string, wrong: FieldError[]): void {
  if (typeof value === "string") {
    if (!isWritable(value)) wrong.push({ field, message: UNWRITABLE });
  } else if (typeof value === "object" && value !== null && !(value instanceof Upload)) {
    for (const [name, member] of Object.entries(value)) collectUnwritable(member, `${field}.${name}`, wrong);
  }
}

const UNWRITABLE = "must be well-formed Unicode without NUL";
const isWritable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** The same for texts in the document. */
export const WritableTextRule: ValidationRule = (context) => ({
  [Kind.STRING](node) {
    if (!isWritable(node.value)) context.reportError(new GraphQLError(`Text ${UNWRITABLE}.`, { nodes: node }));
  },
});

/** How many root fields an operation selects, through its fragments; of certain names, if given. */
export function countRootFields(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
  names?: readonly string[],
): number {
  const count = (selections: readonly SelectionNode[]): number => {
    let fields = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields += isCounted(selection.name.value) ? 1 : 0;
      else if (selection.kind === Kind.INLINE_FRAGMENT) fields += count(selection.selectionSet.selections);
      else fields += count(fragmentNamed(document, selection.name.value)?.selectionSet.selections ?? []);
    }
    return fields;
  };
  const isCounted = (name: string) => (names === undefined ? name !== "__typename" : names.includes(name));
  return count(selectionSet.selections);
}

function fragmentNamed(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );
}
