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
/** What a parsed document takes in memory for each of its tokens, measured; it keeps its text as well. */
const BYTES_PER_TOKEN = 512;

/** A document that was parsed, and what is known of it. */
interface Known {
  readonly document: DocumentNode;
  readonly requireBounded: RequireBounded;
  isValid: boolean;
}

/**
 * The documents of requests, each parsed, counted and validated once for as long as it is kept: the 1,000 used last, 16 MiB in all. What depends on
 * a request's variables is counted in each request. Apollo and Grafast find what they keep by the document from here, so all three forget together.
 */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #limits: DocumentLimits;
  readonly #rules: readonly ValidationRule[];
  readonly #maxTokens: number;
  /** By SHA-256 of the text, as Apollo asks. */
  readonly #kept = new LRUCache<string, Known>({
    max: MOST_DOCUMENTS,
    maxSize: MOST_BYTES,
  });
  readonly #byDocument = new WeakMap<DocumentNode, Known>();

  /**
   * @param rules beside those of the specification
   * @param maxTokens of a document; parsing stops beyond
   */
  constructor(schema: GraphQLSchema, rules: readonly ValidationRule[], maxTokens: number) {
    this.#schema = schema;
    this.#limits = documentLimits(schema);
    this.#rules = [...specifiedRules, ...rules];
    this.#maxTokens = maxTokens;
  }

  /**
   * Refuses a document that would be dear to validate or to answer, before anything else looks at it. One that does not parse is left to Apollo,
   * which says why.
   * @throws AppError 422 invalid_request naming the limit
   */
  requireBounded(query: string, variables: Readonly<Record<string, unknown>>): void {
    const key = hash("sha256", query);
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      kept.requireBounded(variables);
      return;
    }
    const document = this.#parsed(query);
    if (document === null) return;
    const known = { document, requireBounded: this.#limits(document), isValid: false };
    known.requireBounded(variables);
    this.#byDocument.set(document, known);
    const size = (document.tokenCount ?? this.#maxTokens) * BYTES_PER_TOKEN + query.length * 2;
    this.#kept.set(key, known, { size });
  }

  /** What is wrong with a document by the rules; one that is wrong is not kept. */
  faultsOf(query: string, document: DocumentNode): readonly GraphQLError[] {
    const known = this.#byDocument.get(document);
    // Apollo parsed and validated it itself: it was forgotten just now.
    if (known === undefined || known.isValid) return [];
    const faults = validate(this.#schema, document, this.#rules);
    known.isValid = faults.length === 0;
    if (!known.isValid) this.#kept.delete(hash("sha256", query));
    return faults;
  }

  /** Where Apollo looks for a document before it parses. It takes what is there for valid: {@link faultsOf} is asked next. */
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

/** In hexadecimal. Before it stands a name of the schema. */
const SHA256_CHARACTERS = 64;
