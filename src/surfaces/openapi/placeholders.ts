import { SHAPES } from "../../verifier/evidence-form.ts";
import { EVENT_ID_SHAPE } from "./members.ts";

const within = ({ source }: RegExp) => source.replace(/^\^|\$$/g, "");

/** What differs each time the same requests are made. */
const CHANGING = new RegExp(
  [
    `(?<event>${within(EVENT_ID_SHAPE)})`,
    "(?<secret>whsec_[\\w-]{43})",
    "(?<prefix>svc_(?:live|test)_[\\w-]{6}(?![\\w-]))",
    `(?<uuid>${within(SHAPES.proof_id)})`,
    // base64url of "list_".
    "(?<cursor>bGlzdF9[\\w-]+)",
    // With microseconds: as answers have it, and as it is signed and hashed.
    "(?<instant>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(?:Z|\\+00:00))",
    // With milliseconds: of an event.
    "(?<moment>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)",
    // A day that stands alone: today's, where movements are summed by day.
    "(?<day>(?<!\\d)\\d{4}-\\d\\d-\\d\\d(?![\\dT]))",
    `(?<code>${within(SHAPES.verification_code)})`,
    `(?<key>${within(SHAPES.key_id)}|${within(SHAPES.pq_key_id)})`,
    // Of 32 and 64, 2,592 and 4,627 bytes: public keys and signatures.
    "(?<base64>(?<![\\w+/])(?:[\\w+/]{43}=|[\\w+/]{86}==|[\\w+/]{3456}|[\\w+/]{6170}==)(?![\\w+/=]))",
    "(?<sha256>(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f]))",
    // Of the deployment.
    '(?<limit>(?<="requests_per_minute":\\s?)\\d+)',
    // Of all organizations there are.
    '(?<chains>(?<="chains":\\s?)\\d+)',
    "(?<seconds>\\d+ s\\b)",
  ].join("|"),
  "g",
);

/**
 * The text with what differs each time replaced by its kind and a number; the same value always by the same, so that
 * equal texts also agree on which values are the same.
 */
export function withPlaceholders(text: string): string {
  const known = new Map<string, string>();
  return text.replaceAll(CHANGING, (value: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    const placeholder = known.get(value) ?? `<${kind} ${known.size + 1}>`;
    known.set(value, placeholder);
    return placeholder;
  });
}
