import { type GraphQLSchema, Kind, parse, specifiedRules, validate } from "graphql";
import { AppError } from "../../errors/app-error.ts";
import { fieldNamesOf, type GraphqlExample, type Operation } from "../operation.ts";
import { readVariables, rootFields, WritableTextRule } from "./request.ts";

/** GraphQL's error for a file that is null in the variables. In a GraphQL multipart request the file later takes its place. */
const FILE_IS_NULL = 'Expected non-nullable type "Upload!" not to be null.';

/**
 * Validates the examples of operations that exist in GraphQL only.
 * @throws Error that names the operation, if its example does not parse, is not valid for the schema, has variables that it does
 *   not declare, or does not ask the operation's field
 */
export function requireValidExamples(schema: GraphQLSchema, operations: readonly Operation[]): void {
  for (const operation of operations) {
    const example = operation.graphql?.example;
    if (example === undefined) continue;
    const fault = faultOf(schema, fieldNamesOf(operation), example);
    if (fault !== null) throw new Error(`operation ${operation.name}: its example of GraphQL is not valid: ${fault}`);
  }
}

function faultOf(
  schema: GraphQLSchema,
  fields: readonly string[],
  { document: text, variables = {} }: GraphqlExample,
): string | null {
  try {
    const document = parse(text);
    const [error] = validate(schema, document, [...specifiedRules, WritableTextRule]);
    if (error !== undefined) return error.message;
    const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
      return "the document must have one operation";
    const asked = rootFields(document, operation);
    if (!fields.some((field) => asked.includes(field))) return `the document does not ask ${fields.join(" or ")}`;
    const undeclared = Object.keys(variables).find(
      (name) => !operation.variableDefinitions?.some(({ variable }) => variable.name.value === name),
    );
    if (undeclared !== undefined) return `the document declares no variable ${undeclared}`;
    readVariables(schema, operation, variables);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
    const wrong = error.fields?.find(({ message }) => message !== FILE_IS_NULL);
    return wrong === undefined ? null : `${wrong.field}: ${wrong.message}`;
  }
}

/** The example in the description of a field, in CommonMark. */
export function exampleText({ document, variables }: GraphqlExample): string {
  const block = (language: string, text: string) => `\n\n\`\`\`${language}\n${text.trim()}\n\`\`\``;
  return `${block("graphql", document)}${variables === undefined ? "" : block("json", JSON.stringify(variables, null, 2))}`;
}
