import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from "graphql";

type Field = GraphQLField<unknown, unknown>;
type Variables = Readonly<Record<string, unknown>>;

/** The root fields that describe the schema. */
const ROOTS: ReadonlyMap<string, Field> = new Map([
  ["__schema", SchemaMetaFieldDef],
  ["__type", TypeMetaFieldDef],
]);

/** The introspection query of tools, with all its options. */
const STANDARD_QUERY = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Most levels and most fields of a document, with fragments expanded. The introspection query of tools has some 300 fields. A cycle of fragments, which validation refuses, would be endless. */
export const MOST_LEVELS = 20;
export const MOST_FIELDS = 1_000;

/** Apollo Client also asks for `__typename` of each object, which makes the answer a quarter longer. */
const TIMES_THE_STANDARD = 1.5;

/**
 * Limits questions about the schema itself, which need no token: `__schema` and `__type` at most once
 * each, and an answer of at most one and a half times the answer to tools' standard introspection query.
 *
 * The real answer is counted, because no estimate admits tools and refuses attacks. If each list counted as 100 items, with nested lists
 * multiplied, the standard query would ask for 37 million values (types, their fields, the arguments of these, the type of
 * each), and 45 aliases of `types { fields { name description } }`, whose answer is nine times as long, for one million.
 * If each list counted as 100 items without multiplication, the standard query would ask for 21,700 values, and 45 aliases of
 * `types { description }`, whose answer is three times as long, for 4,500. The real answer can be counted because the
 * schema is in memory, never changes, and is read by plain functions. Counting ends at the limit.
 */
export class IntrospectionLimit {
  readonly #schema: GraphQLSchema;
  #most: number | null = null;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Most characters of JSON: counted when a document first asks about the schema. */
  get most(): number {
    this.#most ??= this.#counted();
    return this.#most;
  }

  #counted(): number {
    const document = parse(STANDARD_QUERY);
    const [standard] = document.definitions as readonly OperationDefinitionNode[];
    const endless = { most: Number.POSITIVE_INFINITY };
    const count = new Count(this.#schema, document, standard as OperationDefinitionNode, {}, endless);
    count.operation();
    return Math.ceil(TIMES_THE_STANDARD * count.characters);
  }

  /** The fault of an operation's questions about the schema; null without a fault. */
  faultOf(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): string | null {
    const count = new Count(this.#schema, document, operation, variables, this);
    try {
      count.operation();
      return count.isTwice ? "must ask for __schema and __type at most once each, fragments written out" : null;
    } catch (error) {
      if (error === TOO_MUCH) return `must ask for at most ${this.most} characters about the schema`;
      throw error;
    }
  }
}

const TOO_MUCH = new Error("more characters than the limit");

/** Brackets around members or items, each of which is counted with a comma, the last included. */
const BRACKETS = "[]".length - ",".length;

/** Counts the JSON of an operation's answer about the schema, and stops at the limit. */
class Count {
  /** Characters so far. */
  characters = 0;
  /** Whether a root field that describes the schema occurs twice. */
  isTwice = false;
  readonly #info: { readonly schema: GraphQLSchema };
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #operation: OperationDefinitionNode;
  readonly #variables: Variables;
  readonly #limit: { readonly most: number };
  readonly #known = new Map<SelectionSetNode, readonly FieldNode[]>();

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    limit: { readonly most: number },
  ) {
    this.#info = { schema };
    const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
    this.#operation = operation;
    this.#variables = variables;
    this.#limit = limit;
  }

  /** @throws TOO_MUCH beyond the limit */
  operation(): void {
    const asked = this.#fieldsOf(this.#operation.selectionSet).filter(({ name }) => ROOTS.has(name.value));
    this.isTwice = new Set(asked.map(({ name }) => name.value)).size < asked.length;
    if (this.isTwice) return;
    for (const node of asked) this.#field(node, ROOTS.get(node.name.value), null, 1);
  }

  #field(node: FieldNode, field: Field | undefined, of: unknown, level: number): void {
    this.#add(`"${(node.alias ?? node.name).value}":,`.length);
    // A deeper field belongs to a cycle of fragments; validation refuses it, as it refuses unknown fields.
    if (field === undefined || level > MOST_LEVELS) return;
    // Deprecated members always count, independent of the arguments.
    const args = { includeDeprecated: true, name: this.#nameAsked(node) };
    this.#value(node, field.type, field.resolve?.(of, args, null, this.#info as never), level);
  }

  #value(node: FieldNode, type: GraphQLOutputType, value: unknown, level: number): void {
    const named = getNamedType(type);
    if (Array.isArray(value)) {
      this.#add(BRACKETS);
      for (const item of value) {
        this.#add(",".length);
        this.#value(node, named, item, level);
      }
    } else if (isObjectType(named) && node.selectionSet !== undefined && value !== null && value !== undefined) {
      this.#add(BRACKETS);
      for (const inner of this.#fieldsOf(node.selectionSet)) {
        if (inner.name.value === "__typename") this.#add(named.name.length);
        this.#field(inner, named.getFields()[inner.name.value], value, level + 1);
      }
    } else this.#add(typeof value === "string" ? value.length + 2 : String(value ?? null).length);
  }

  /** The fields of a selection set, with fragments expanded. */
  #fieldsOf(set: SelectionSetNode): readonly FieldNode[] {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    // Set while the fragment is being expanded; validation refuses a cycle of fragments.
    this.#known.set(set, []);
    const fields: FieldNode[] = [];
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
        if (inner !== undefined) fields.push(...this.#fieldsOf(inner.selectionSet));
      }
      if (fields.length > MOST_FIELDS) throw TOO_MUCH;
    }
    this.#known.set(set, fields);
    return fields;
  }

  /** The argument of `__type(name:)`; undefined if it is missing, which validation refuses. */
  #nameAsked({ arguments: given = [] }: FieldNode): string | undefined {
    let value: ValueNode | undefined = given.find(({ name }) => name.value === "name")?.value;
    if (value?.kind === Kind.VARIABLE) {
      const variable = value.name.value;
      const written = this.#variables[variable];
      if (typeof written === "string") return written;
      value = this.#operation.variableDefinitions?.find((each) => each.variable.name.value === variable)?.defaultValue;
    }
    return value?.kind === Kind.STRING ? value.value : undefined;
  }

  #add(characters: number): void {
    this.characters += characters;
    if (this.characters > this.#limit.most) throw TOO_MUCH;
  }
}
