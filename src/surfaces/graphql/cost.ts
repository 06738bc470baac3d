import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from "graphql";
import { invalidRequest } from "../../app-error.ts";
import { IntrospectionLimit } from "./introspection.ts";

/** Fields of a document with its fragments written out. The introspection query of tools has some 300. */
const MOST_FIELDS = 1_000;
/** The same, the fields of each page counted once for each item asked for. */
const MOST_VALUES = 5_000;
const MOST_DEPTH = 20;
/** Fields under another name than their own: what asks for the same thing over and over. */
const MOST_ALIASES = 50;
/** What a page brings when its size is not written in the document and not among its variables. */
const DEFAULT_ITEMS = 50;
const MOST_ITEMS = 200;

interface Cost {
  readonly fields: number;
  readonly values: number;
  readonly depth: number;
  readonly aliases: number;
}

const NOTHING: Cost = { fields: 0, values: 0, depth: 0, aliases: 0 };

/**
 * Makes what refuses a document that would be dear to validate or to answer, before anything else looks at it: fragments
 * that spread fragments double with each level, and aliases multiply what one field costs. Each fragment is counted once.
 * What is asked about the schema itself has a limit of its own, see {@link IntrospectionLimit}.
 * @param maxTokens of a document; parsing stops beyond
 * @returns throws AppError 422 invalid_request naming the limit; a document that does not parse is left to who reads it next
 */
export function documentLimits(
  schema: GraphQLSchema,
  maxTokens: number,
): (query: string, variables: Readonly<Record<string, unknown>>) => void {
  const paged = pagedFields(schema);
  const introspection = new IntrospectionLimit(schema);
  return (query, variables) => {
    const document = parsed(query, maxTokens);
    if (document === null) return;
    // Each may be the one that runs.
    for (const operation of document.definitions) {
      if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
      const counter = new CostCounter(document, paged, { ...defaultsOf(operation), ...variables });
      const { fields, values, depth, aliases } = counter.ofSelections(operation.selectionSet);
      if (fields > MOST_FIELDS) refuse(`must have at most ${MOST_FIELDS} fields, fragments written out`);
      if (values > MOST_VALUES) refuse(`must ask for at most ${MOST_VALUES} values, page sizes counted`);
      if (aliases > MOST_ALIASES) refuse(`must have at most ${MOST_ALIASES} aliases, fragments written out`);
      if (depth > MOST_DEPTH) refuse(`must be at most ${MOST_DEPTH} levels deep`);
      const fault = introspection.faultOf(document, operation, variables);
      if (fault !== null) refuse(fault);
    }
  };
}

/** What variables are where the request does not say: whole numbers alone, for sizes of pages are such. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, number> {
  const defaults: Record<string, number> = {};
  for (const { variable, defaultValue } of variableDefinitions)
    if (defaultValue?.kind === Kind.INT) defaults[variable.name.value] = Number(defaultValue.value);
  return defaults;
}

class CostCounter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #paged: ReadonlySet<string>;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #known = new Map<string, Cost>();

  constructor(document: DocumentNode, paged: ReadonlySet<string>, variables: Readonly<Record<string, unknown>>) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.#paged = paged;
    this.#variables = variables;
  }

  ofSelections({ selections }: SelectionSetNode): Cost {
    let sum: Cost = NOTHING;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) sum = add(sum, this.#ofField(selection));
      else if (selection.kind === Kind.INLINE_FRAGMENT) sum = add(sum, this.ofSelections(selection.selectionSet));
      else sum = add(sum, this.#ofFragment(selection.name.value));
    }
    return sum;
  }

  #ofField(field: FieldNode): Cost {
    const below = field.selectionSet ? this.ofSelections(field.selectionSet) : NOTHING;
    return {
      fields: 1 + below.fields,
      values: 1 + below.values * this.#items(field),
      depth: 1 + below.depth,
      aliases: (field.alias ? 1 : 0) + below.aliases,
    };
  }

  #ofFragment(name: string): Cost {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // While it is being counted; a circle of fragments is for validation to refuse.
    this.#known.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const cost = fragment ? this.ofSelections(fragment.selectionSet) : NOTHING;
    this.#known.set(name, cost);
    return cost;
  }

  #items(field: FieldNode): number {
    if (!this.#paged.has(field.name.value)) return 1;
    const sizes = (field.arguments ?? []).flatMap(({ name, value }) => {
      if (!["first", "last", "limit"].includes(name.value)) return [];
      const size =
        value.kind === Kind.VARIABLE
          ? this.#variables[value.name.value]
          : value.kind === Kind.INT
            ? Number(value.value)
            : null;
      return typeof size === "number" ? [size] : [];
    });
    // Sizes out of bounds are refused later, with their own words.
    return Math.min(Math.max(...sizes, sizes.length === 0 ? DEFAULT_ITEMS : 1), MOST_ITEMS);
  }
}

function add(left: Cost, right: Cost): Cost {
  return {
    fields: left.fields + right.fields,
    values: left.values + right.values,
    depth: Math.max(left.depth, right.depth),
    aliases: left.aliases + right.aliases,
  };
}

/** The root fields that answer pages. */
function pagedFields(schema: GraphQLSchema): ReadonlySet<string> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return new Set(
    fields.filter(({ args }) => args.some(({ name }) => name === "first" || name === "limit")).map(({ name }) => name),
  );
}

function parsed(query: string, maxTokens: number): DocumentNode | null {
  try {
    return parse(query, { maxTokens, noLocation: true });
  } catch {
    return null;
  }
}

function refuse(message: string): never {
  throw invalidRequest([{ field: "query", message }]);
}
