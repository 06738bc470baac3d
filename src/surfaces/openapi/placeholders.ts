import { SHAPES } from "../../verifier/evidence-form.ts";
import { joined } from "../joined.ts";
import type { ServedService } from "../served-service.ts";
import { EVENT_ID_SHAPE } from "./members.ts";

const within = ({ source }: RegExp) => source.replace(/^\^|\$$/g, "");

/** Values that change each time the same requests are made, by kind, beside those that services name. */
const COMMON: Readonly<Record<string, RegExp>> = {
  event: EVENT_ID_SHAPE,
  prefix: /svc_(?:live|test)_[\w-]{6}(?![\w-])/,
  uuid: SHAPES.proof_id,
  // base64url of "list_".
  cursor: /bGlzdF9[\w-]+/,
  // Whole seconds, in which two certificates are made together or not.
  seconds_of_certificate: /(?<="not_(?:before|after)":\s?")[^"]+/,
  // Times with microseconds: in answers, and in signed or hashed texts.
  instant: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|\+00:00)/,
  // Times with milliseconds: in events.
  moment: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/,
  // A day by itself: today, where movements are summed by day.
  day: /(?<!\d)\d{4}-\d\d-\d\d(?![\dT])/,
  key: new RegExp(`${within(SHAPES.key_id)}|${within(SHAPES.pq_key_id)}`),
  certificate_id: /rsa-3072-[0-9a-f]{16}/,
  certificate: /(?<="certificate":\s?")[\w+/=]+/,
  // Public keys and signatures: 32 and 64, 2,592 and 4,627 bytes.
  base64: /(?<![\w+/])(?:[\w+/]{43}=|[\w+/]{86}==|[\w+/]{3456}|[\w+/]{6170}==)(?![\w+/=])/,
  sha256: /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/,
  // A limit of the deployment.
  limit: /(?<="requests_per_minute":\s?)\d+/,
  // The number of chains of all organizations.
  chains: /(?<="chains":\s?)\d+/,
  seconds: /\d+ s\b/,
};

/** Replaces changing values in a text. */
export type WithPlaceholders = (text: string) => string;

/** Reads of services which of their values change. */
export async function placeholdersOf(services: readonly ServedService[]): Promise<WithPlaceholders> {
  const descriptions = await Promise.all(services.map(({ openapi }) => openapi?.()));
  const kinds = joined([...descriptions.map((description) => description?.changing ?? {}), COMMON], "a changing value");
  const changing = Object.entries(kinds).map(([kind, shape]) => `(?<${kind}>${within(shape)})`);
  return (text) => withPlaceholders(text, new RegExp(changing.join("|"), "g"));
}

/**
 * Replaces each changing value in a text by its kind and a number. Equal values get the same replacement, so equal results
 * also agree on which values are the same. Seconds to wait are not compared.
 */
function withPlaceholders(text: string, changing: RegExp): string {
  const known = new Map<string, string>();
  return text.replaceAll(changing, (value: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    // Two waits may be the same or not: the examples take longer than a second.
    if (kind === "seconds" || kind === "seconds_of_certificate") return "<seconds>";
    const placeholder = known.get(value) ?? `<${kind} ${known.size + 1}>`;
    known.set(value, placeholder);
    return placeholder;
  });
}
