import { malformedRequest } from "../../app-error.ts";

/** Largest JSON body, of REST and of GraphQL: 1 MiB. */
export const MOST_JSON_BYTES = 1024 * 1024;

/** Deepest JSON body. What works on one goes down by recursion. */
const MOST_JSON_DEPTH = 100;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body (RFC 8259: UTF-8).
 * @throws AppError 400 malformed_request if the body is empty, not UTF-8, not JSON, or nested too deep
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw malformedRequest("The body is empty.");
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8.decode(body));
  } catch {
    throw malformedRequest("The body is not JSON in UTF-8.");
  }
  if (isDeeperThan(parsed, MOST_JSON_DEPTH))
    throw malformedRequest(`The body is nested more than ${MOST_JSON_DEPTH} levels deep.`);
  return parsed;
}

/** Without recursion: JSON.parse reads more levels than a stack has. */
function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
