import { hash } from "node:crypto";
import type { ApolloServerOptions, BaseContext } from "@apollo/server";
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { type DocumentLimits, documentLimits, type RequireBounded } from "./cost.ts";

const MOST_DOCUMENTS = 1_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** Measured memory of a parsed document for each of its tokens; the document also keeps its text. */
const BYTES_PER_TOKEN = 512;

/** A parsed document with the facts known about it. */
interface Known {
  readonly document: DocumentNode;
  readonly requireBounded: RequireBounded;
  isValid: boolean;
}

/**
 * The documents of requests. Each is parsed, counted and validated once while it is kept: the 1,000 most recently used, 16 MiB in all. Limits that depend on
 * a request's variables are checked in each request. Apollo and Grafast key their caches by the document object from here, so all three caches forget it together.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: DocumentLimits;
  readonly #rules: readonly ValidationRule[];
  readonly #maxTokens: number;
  /** By SHA-256 of the text, which is Apollo's key. */
  readonly #kept = new LRUCache<string, Known>({
    max: MOST_DOCUMENTS,
    maxSize: MOST_BYTES,
  });
  readonly #byDocument = new WeakMap<DocumentNode, Known>();

  /**
   * @param rules rules beside those of the specification
   * @param maxTokens most tokens of a document; parsing stops beyond
   */
  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[], maxTokens: number) {
    this.#schema = schema;
    this.#limits = documentLimits(schema);
    this.#rules = [...specifiedRules, ...rules];
    this.#maxTokens = maxTokens;
  }

  /**
   * Refuses a document that would be expensive to validate or to answer, before anything else looks at it. A document that does not parse is left to Apollo,
   * which reports the reason.
   * @param operationName of the operation that runs; absent where the document has one
   * @returns the values that the operation asks for; 0 for a document that does not parse
   * @throws AppError 422 invalid_request that names the limit
   */
  requireBounded(query: string, variables: Readonly<Record<string, unknown>>, operationName?: string | null): number {
    const key = hash("sha256", query);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.requireBounded(variables, operationName);
    const document = this.#parsed(query);
    if (document === null) return 0;
    const known = { document, requireBounded: this.#limits(document), isValid: false };
    const values = known.requireBounded(variables, operationName);
    this.#byDocument.set(document, known);
    const size = (document.tokenCount ?? this.#maxTokens) * BYTES_PER_TOKEN + query.length * 2;
    this.#kept.set(key, known, { size });
    return values;
  }

  /** The faults of a document by the rules. A document with faults is not kept. */
  faultsOf(query: string, document: DocumentNode): readonly GraphQLError[] {
    const known = this.#byDocument.get(document);
    // The document was just dropped from the cache, so Apollo has parsed and validated it itself.
    if (known === undefined || known.isValid) return [];
    const faults = validate(this.#schema, document, this.#rules);
    known.isValid = faults.length === 0;
    if (!known.isValid) this.#kept.delete(hash("sha256", query));
    return faults;
  }

  /** Apollo looks here for a document before it parses, and treats a found document as valid. So {@link faultsOf} runs next. */
  readonly store: NonNullable<ApolloServerOptions<BaseContext>["documentStore"]> = {
    get: async (key) => this.#kept.get(key.slice(-SHA256_CHARACTERS))?.document,
    set: async () => {},
    delete: async () => {},
  };

  #parsed(query: string): DocumentNode | null {
    try {
      return parse(query, { maxTokens: this.#maxTokens });
    } catch {
      return null;
    }
  }
}

/** Length in hexadecimal. A name of the schema stands before it. */
const SHA256_CHARACTERS = 64;
