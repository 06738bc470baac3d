import { SHAPES } from "../../verifier/evidence-form.ts";
import { EVENT_ID_SHAPE } from "./members.ts";

const within = ({ source }: RegExp) => source.replace(/^\^|\$$/g, "");

/** Values that change each time the same requests are made. */
const CHANGING = new RegExp(
  [
    `(?<event>${within(EVENT_ID_SHAPE)})`,
    // The token of a signed link.
    "(?<link>(?<=/files/)[\\w-]{95})",
    // The secret of a signing link.
    "(?<signing>(?<=/sign/[0-9a-f-]{36}#)[\\w-]{43})",
    // The token of a signing session.
    '(?<session>(?<="token":\\s?")[\\w-]{43}(?="))',
    // What a person's session sends with writes.
    '(?<csrf>(?<="csrf_token":\\s?")[\\w-]{43}(?="))',
    "(?<secret>whsec_[\\w-]{43})",
    "(?<prefix>(?:svc_(?:live|test)_[\\w-]{6}|dns_[0-9a-f]{8})(?![\\w-]))",
    `(?<uuid>${within(SHAPES.proof_id)})`,
    // base64url of "list_".
    "(?<cursor>bGlzdF9[\\w-]+)",
    // Whole seconds, in which two certificates are made together or not.
    '(?<seconds_of_certificate>(?<="not_(?:before|after)":\\s?")[^"]+)',
    // Times with microseconds: in answers, and in signed or hashed texts.
    "(?<instant>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(?:Z|\\+00:00))",
    // Times with milliseconds: in events.
    "(?<moment>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)",
    // A day by itself: today, where movements are summed by day.
    "(?<day>(?<!\\d)\\d{4}-\\d\\d-\\d\\d(?![\\dT]))",
    `(?<code>${within(SHAPES.verification_code)})`,
    `(?<key>${within(SHAPES.key_id)}|${within(SHAPES.pq_key_id)})`,
    "(?<certificate_id>rsa-3072-[0-9a-f]{16})",
    '(?<certificate>(?<="certificate":\\s?")[\\w+/=]+)',
    // Public keys and signatures: 32 and 64, 2,592 and 4,627 bytes.
    "(?<base64>(?<![\\w+/])(?:[\\w+/]{43}=|[\\w+/]{86}==|[\\w+/]{3456}|[\\w+/]{6170}==)(?![\\w+/=]))",
    "(?<sha256>(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f]))",
    // DS records: the tag, and digests of 32 and 48 bytes.
    "(?<ds>(?<![\\w ])\\d{1,5} 13 [24] [0-9A-F]{64,96}(?![0-9A-F]))",
    // A limit of the deployment.
    '(?<limit>(?<="requests_per_minute":\\s?)\\d+)',
    // Serials of zones begin with the time in seconds: in answers, and in zone files.
    '(?<serial>(?<="serial":\\s?|, serial |\\bSOA \\S+ \\S+ )\\d{10}\\b)',
    // The number of chains of all organizations.
    '(?<chains>(?<="chains":\\s?)\\d+)',
    "(?<seconds>\\d+ s\\b)",
  ].join("|"),
  "g",
);

/**
 * Replaces each changing value in a text by its kind and a number. Equal values get the same replacement, so equal results
 * also agree on which values are the same. Seconds to wait are not compared.
 */
export function withPlaceholders(text: string): string {
  const known = new Map<string, string>();
  return text.replaceAll(CHANGING, (value: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    // Two waits may be the same or not: the examples take longer than a second.
    if (kind === "seconds" || kind === "seconds_of_certificate") return "<seconds>";
    const placeholder = known.get(value) ?? `<${kind} ${known.size + 1}>`;
    known.set(value, placeholder);
    return placeholder;
  });
}
