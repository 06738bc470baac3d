import { HIDDEN, OWN } from "./entries.ts";
import { quoted, stringsOf, textContent } from "./text-strings.ts";
import type { ZoneRecord } from "./zone-record.ts";

/** A zone to be written. */
export interface ZoneToWrite {
  /** The apex, in lower case, without a final dot. */
  readonly name: string;
  readonly serial: number;
  /** What the nameservers serve at the apex beside records: SOA and NS, with hosts without final dots. */
  readonly apex: readonly { readonly type: string; readonly content: string; readonly ttl: number }[];
  readonly records: readonly ZoneRecord[];
}

/**
 * A zone file of a zone (RFC 1035 §5.1) that BIND reads. Lines that begin with `;selo` hold what such a file cannot say: disabled records, ALIAS
 * records, comments, and how the content of a TXT record was written.
 */
export function* writeZoneFile({ name, serial, apex, records }: ZoneToWrite): Generator<string> {
  yield `; Zone ${name}, serial ${serial}. Lines that begin with "${OWN.trim()}" are for Selo.\n$ORIGIN ${name}.\n`;
  for (const { type, content, ttl } of apex) yield `@ ${ttl} IN ${type} ${withDots(content)}\n`;
  for (const record of records) yield lineOf(record, name);
}

/** Hosts of SOA and NS with their final dots. */
const withDots = (content: string) =>
  content.replaceAll(/[^ ]*[a-z][^ ]*/gi, (host) => (host.endsWith(".") ? host : `${host}.`));

function lineOf(record: ZoneRecord, zone: string): string {
  const { type, ttl, disabled, comment } = record;
  const { data, content } = dataOf(record);
  const facts = {
    ...(disabled ? { disabled } : {}),
    ...(comment === null ? {} : { comment }),
    ...(content === record.content ? {} : { content: record.content }),
  };
  const said = Object.keys(facts).length > 0 ? `${OWN}${JSON.stringify(facts)}\n` : "";
  const hidden = disabled || type === "ALIAS" ? HIDDEN : "";
  return `${said}${hidden}${relative(record.name, zone)} ${ttl} IN ${type} ${data}\n`;
}

const relative = (name: string, zone: string) => (name === zone ? "@" : name.slice(0, -zone.length - 1));

const whole = (host: string) => (host === "." ? host : `${host}.`);

/** The data of a record as the file has it, and the content that a reader makes of it. */
function dataOf({ type, content, priority }: ZoneRecord): { readonly data: string; readonly content: string } {
  switch (type) {
    case "ALIAS":
    case "CNAME":
    case "NS":
    case "PTR":
      return { data: whole(content), content };
    case "MX":
      return { data: `${priority} ${whole(content)}`, content };
    case "SRV": {
      const [weight, port, target = ""] = content.split(" ");
      return { data: `${priority} ${weight} ${port} ${whole(target)}`, content };
    }
    case "TXT": {
      const strings = stringsOf(content) ?? [];
      return { data: strings.map(quoted).join(" "), content: textContent(strings) };
    }
    default:
      return { data: content, content };
  }
}
