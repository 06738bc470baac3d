import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import type { AppError } from "../../errors/app-error.ts";

/**
 * The media types of an answer (GraphQL over HTTP §6). A reader of GRAPHQL_RESPONSE reads the body with any status.
 * A reader of JSON may take a status other than 200 for an error of a proxy, and then ignores the body.
 */
export const JSON_TYPE = "application/json; charset=utf-8";
export const GRAPHQL_RESPONSE = "application/graphql-response+json; charset=utf-8";

export type MediaType = typeof JSON_TYPE | typeof GRAPHQL_RESPONSE;

/** The first is the default. */
const MEDIA_TYPES: MediaType[] = [JSON_TYPE, GRAPHQL_RESPONSE];

/** Limits of the cache: clients send one of a few headers; a longer header is parsed each time. */
const MOST_KEPT = { headers: 100, characters: 512 };
const kept = new LRUCache<string, MediaType>({ max: MOST_KEPT.headers });

/** The media type that an Accept header asks for (RFC 9110 §12.5.1). As in REST, a request that accepts neither is not refused: the answer is JSON. */
export function mediaTypeOf(accept: string | undefined): MediaType {
  if (accept === undefined) return JSON_TYPE;
  const known = kept.get(accept);
  if (known !== undefined) return known;
  const preferred = new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES);
  const found = MEDIA_TYPES.find((type) => type === preferred) ?? JSON_TYPE;
  if (accept.length <= MOST_KEPT.characters) kept.set(accept, found);
  return found;
}

/**
 * The HTTP status of a request that was refused before anything ran (GraphQL over HTTP §6.4). A fault of the request is 400, whatever the status of its
 * code. A fault of the document is 200 for a reader of JSON, who could not tell it from an error of a proxy. Every other refusal keeps the status of its code.
 * @param isGraphqlRequest whether the parameters of the request have been read, so that the fault is in the document, the chosen operation or the variables
 */
export function refusalStatus(
  { status }: Pick<AppError, "status">,
  mediaType: MediaType,
  isGraphqlRequest: boolean,
): number {
  if (status !== 400 && status !== 422) return status;
  return isGraphqlRequest && mediaType === JSON_TYPE ? 200 : 400;
}
