import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import { member, parseJson, UnreadableError } from "./keys.ts";

/** A seal of the audit trail, as somebody kept it. */
export interface KeptSeal {
  readonly number: number;
  /** The canonical payload that both keys signed. */
  readonly evidence: string;
}

/**
 * Reads seals: the answer of `GET /api/v1/public/audit-seals`, or a list of its items.
 * @throws UnreadableError
 */
export function readSeals(text: string): KeptSeal[] {
  const value = parseJson(text);
  const list = Array.isArray(value) ? value : member(value, "items");
  if (!Array.isArray(list) || list.length === 0) throw new UnreadableError("it contains no seals");
  return list.map((item) => {
    const evidence = member(item, "evidence");
    const number = member(evidence, "number");
    if (typeof number !== "number") throw new UnreadableError("a seal has no evidence with its number");
    return { number, evidence: canonicalJson(evidence as JsonValue) };
  });
}
