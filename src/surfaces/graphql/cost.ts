import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { invalidRequest } from "../../errors/app-error.ts";
import { PAGE_SIZE } from "../page-size.ts";
import { IntrospectionLimit, MOST_FIELDS, MOST_LEVELS } from "./introspection.ts";
import { type Page, pageOf } from "./schema/pages.ts";
import { JsonScalar } from "./schema/scalars.ts";

/**
 * Most values of a document, with fragments expanded: the fields of each list count once for each item that its page may have. The largest documents take
 * less than 250 ms of CPU (`npm run bench graphql`).
 */
const MOST_VALUES = 30_000;
/** Most fields under an alias, which can ask for the same thing repeatedly. */
const MOST_ALIASES = 50;
const SIZES: ReadonlySet<string> = new Set(["first", "last", "limit"]);
/** Most fields of an interface (`node`): Grafast plans each for all types that have the interface, which takes up to 50 ms of CPU. */
const MOST_INTERFACES = 5;
/** Fields of connections for which Postgres counts rows. */
const COUNTED: ReadonlySet<string> = new Set(["totalCount", "totalCountCapped"]);
/** The cost of each of these fields: both together cost as much as the largest page. */
const COUNTED_VALUES = 100;
/** The cost of a member that is JSON, which may be as long as a whole object. */
const JSON_VALUES = 20;
/** The cost of a value under an alias: the alias may ask for a long text over and over. */
const ALIASED_VALUES = 10;
/** Values that count as one request of the rate limit. */
const VALUES_OF_REQUEST = 1_000;

/** How many requests of a rate limit an operation with so many values is. */
export const requestsOf = (values: number): number => Math.max(1, Math.ceil(values / VALUES_OF_REQUEST));

interface Cost {
  readonly fields: number;
  readonly values: number;
  /** Values of each item of the connection that the fields belong to. The field above knows the number of items. */
  readonly valuesOfItem: number;
  readonly depth: number;
  readonly aliases: number;
  /** Fields of an interface. */
  readonly interfaces: number;
}

const NOTHING: Cost = { fields: 0, values: 0, valuesOfItem: 0, depth: 0, aliases: 0, interfaces: 0 };

/**
 * Refuses a document whose cost with these variables is too high: AppError 422 invalid_request that names the limit.
 * @param operationName of the operation that runs; absent where the document has one
 * @returns the values that the operation asks for
 */
export type RequireBounded = (variables: Readonly<Record<string, unknown>>, operationName?: string | null) => number;

/** Makes the check of a document. */
export type DocumentLimits = (document: DocumentNode) => RequireBounded;

/**
 * Makes the check that refuses a document which would be expensive to validate or to answer. It runs before anything else looks at the document:
 * fragments that spread fragments double with each level, and aliases multiply the cost of a field. Each fragment is counted once.
 * Questions about the schema itself have a separate limit, see {@link IntrospectionLimit}.
 *
 * A document is counted again with each request if variables set a page size or select a part of the schema; every other document is counted once.
 */
export function documentLimits(schema: GraphQLSchema): DocumentLimits {
  const introspection = new IntrospectionLimit(schema);
  return (document) => {
    /** By the names of the operations; null until they are known for all variables. */
    let settled: ReadonlyMap<string | undefined, number> | null = null;
    return (variables, operationName) => {
      if (settled !== null) return valuesOf(settled, operationName);
      let dependsOnVariables = false;
      const counted = new Map<string | undefined, number>();
      // Any of the operations may be the one that runs.
      for (const operation of document.definitions) {
        if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
        const counter = new CostCounter(schema, document, { ...defaultsOf(operation), ...variables });
        const { fields, values, depth, aliases, interfaces } = counter.ofOperation(operation);
        requireAtMost(MOST_FIELDS, fields, (count) => `has ${count} fields, fragments written out`);
        requireAtMost(MOST_VALUES, values, (count) => `asks for ${count} values, page sizes counted`);
        requireAtMost(MOST_ALIASES, aliases, (count) => `has ${count} aliases, fragments written out`);
        requireAtMost(MOST_INTERFACES, interfaces, (count) => `asks for node ${count} times, fragments written out`);
        requireAtMost(MOST_LEVELS, depth, (count) => `is ${count} levels deep`);
        const fault = introspection.faultOf(document, operation, variables);
        if (fault !== null) refuse(fault);
        counted.set(operation.name?.value, values);
        dependsOnVariables ||= counter.dependsOnVariables;
      }
      if (!dependsOnVariables) settled = counted;
      return valuesOf(counted, operationName);
    };
  };
}

/** Of the operation with this name. A name that the document does not have is refused later; the document then counts as its largest operation. */
const valuesOf = (counted: ReadonlyMap<string | undefined, number>, operationName: string | null | undefined): number =>
  counted.get(operationName ?? undefined) ?? Math.max(0, ...counted.values());

/** Default values of variables: only whole numbers matter, because page sizes are whole numbers. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, number> {
  const defaults: Record<string, number> = {};
  for (const { variable, defaultValue } of variableDefinitions)
    if (defaultValue?.kind === Kind.INT) defaults[variable.name.value] = Number(defaultValue.value);
  return defaults;
}

/**
 * Counts by the types of the schema. A list is a field of the schema that answers several objects. Its
 * size is its own argument, or that of the connection it belongs to; a connection without the argument has its default page. An array of scalars counts
 * as one value of its row, because its length is limited by what is stored. Fields about the schema itself do not count as lists here.
 */
class CostCounter {
  /** Whether the document may cost more with other variables. */
  dependsOnVariables = false;
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #known = new Map<string, Cost>();

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#schema = schema;
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.#variables = variables;
  }

  ofOperation({ operation, selectionSet }: OperationDefinitionNode): Cost {
    return this.#ofSelections(selectionSet, this.#schema.getRootType(operation) ?? undefined);
  }

  /** @param type the type that the fields are selected on; undefined if the schema has no such field, which validation refuses */
  #ofSelections({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): Cost {
    let sum: Cost = NOTHING;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) sum = add(sum, this.#ofField(selection, type));
      else if (selection.kind === Kind.FRAGMENT_SPREAD) sum = add(sum, this.#ofFragment(selection.name.value));
      else {
        const { typeCondition, selectionSet } = selection;
        const inner = typeCondition === undefined ? type : this.#schema.getType(typeCondition.name.value);
        sum = add(sum, this.#ofSelections(selectionSet, inner));
      }
    }
    return sum;
  }

  #ofField(node: FieldNode, type: GraphQLNamedType | undefined): Cost {
    // The name of the type is counted by IntrospectionLimit.
    if (node.name.value === "__type") this.dependsOnVariables = true;
    const field = fieldOf(type, node.name.value);
    const named = field === undefined ? undefined : getNamedType(field.type);
    const below = node.selectionSet === undefined ? NOTHING : this.#ofSelections(node.selectionSet, named);
    const isItems = isConnection(type) && isListOfObjects(field);
    const isList = isListOfObjects(field) || isConnection(named);
    const times = isList && !isItems ? this.#size(node, field === undefined ? PAGE_SIZE : pageOf(field)) : 1;
    const values = isConnection(named)
      ? 1 + below.values + below.valuesOfItem * times
      : this.#own(node, type, named) + below.values * times;
    return {
      fields: 1 + below.fields,
      values: isItems ? 0 : values,
      valuesOfItem: isItems ? values : 0,
      depth: 1 + below.depth,
      aliases: (node.alias ? 1 : 0) + below.aliases,
      interfaces: (isInterfaceType(named) ? 1 : 0) + below.interfaces,
    };
  }

  /** Values of a field without what is below it. */
  #own(
    { name, alias, selectionSet }: FieldNode,
    type: GraphQLNamedType | undefined,
    named: GraphQLNamedType | undefined,
  ) {
    if (COUNTED.has(name.value) && isConnection(type)) return COUNTED_VALUES;
    const one = named?.name === JsonScalar.name ? JSON_VALUES : 1;
    return alias === undefined || selectionSet !== undefined ? one : one * ALIASED_VALUES;
  }

  #ofFragment(name: string): Cost {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // Set while the fragment is being counted; validation refuses a cycle of fragments.
    this.#known.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const cost = fragment
      ? this.#ofSelections(fragment.selectionSet, this.#schema.getType(fragment.typeCondition.name.value))
      : NOTHING;
    this.#known.set(name, cost);
    return cost;
  }

  #size(field: FieldNode, { most, preset }: Page): number {
    const sizes = (field.arguments ?? []).flatMap(({ name, value }) => {
      if (!SIZES.has(name.value)) return [];
      if (value.kind === Kind.VARIABLE) this.dependsOnVariables = true;
      const size =
        value.kind === Kind.VARIABLE
          ? this.#variables[value.name.value]
          : value.kind === Kind.INT
            ? Number(value.value)
            : null;
      return typeof size === "number" ? [size] : [];
    });
    // Validation refuses sizes out of bounds later, with its own message.
    return Math.min(Math.max(...sizes, sizes.length === 0 ? preset : 1), most);
  }
}

function add(left: Cost, right: Cost): Cost {
  return {
    fields: left.fields + right.fields,
    values: left.values + right.values,
    valuesOfItem: left.valuesOfItem + right.valuesOfItem,
    depth: Math.max(left.depth, right.depth),
    aliases: left.aliases + right.aliases,
    interfaces: left.interfaces + right.interfaces,
  };
}

type Field = GraphQLField<unknown, unknown>;

const fieldOf = (type: GraphQLNamedType | undefined, name: string): Field | undefined =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;

/** Excludes the types that describe the schema. */
function isListOfObjects(field: Field | undefined): boolean {
  if (field === undefined || !isListType(getNullableType(field.type))) return false;
  const named = getNamedType(field.type);
  return isCompositeType(named) && !named.name.startsWith("__");
}

/** A connection in the sense of Relay's specification. */
const isConnection = (type: GraphQLNamedType | undefined): boolean =>
  isObjectType(type) && "pageInfo" in type.getFields() && "edges" in type.getFields();

/** Above this number the message says only that there are more: fragments within fragments multiply without end. */
const MOST_SHOWN = 1_000_000_000;

function requireAtMost(most: number, count: number, asked: (count: string) => string): void {
  if (count <= most) return;
  const shown = count > MOST_SHOWN ? `more than ${inWords(MOST_SHOWN)}` : inWords(count);
  refuse(`${asked(shown)}; at most ${inWords(most)}`);
}

const inWords = (count: number): string => count.toLocaleString("en");

function refuse(message: string): never {
  throw invalidRequest([{ field: "query", message }]);
}
