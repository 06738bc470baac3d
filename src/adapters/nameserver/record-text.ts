import type { TxtData } from "dns-packet";
import type { DnsRecord } from "../resolver/message.ts";

/** The content of a record as zone files have it (RFC 1035, 5.1), in the short form of dig: hostnames end in a dot, text is quoted. */
export function recordText(record: DnsRecord): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.data;
    case "CNAME":
    case "DNAME":
    case "NS":
    case "PTR":
      return absolute(record.data);
    case "MX":
      return `${record.data.preference ?? 0} ${absolute(record.data.exchange)}`;
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = record.data;
      return `${priority} ${weight} ${port} ${absolute(target)}`;
    }
    case "TXT":
      return stringsOf(record.data).map(quoted).join(" ");
    case "CAA":
      return `${record.data.flags ?? 0} ${record.data.tag} ${quoted(Buffer.from(record.data.value))}`;
    case "SOA": {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [absolute(mname), absolute(rname), serial, refresh, retry, expire, minimum].join(" ");
    }
    case "DNSKEY":
      return `${record.data.flags} 3 ${record.data.algorithm} ${record.data.key.toString("base64")}`;
    case "DS": {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return `${keyTag} ${algorithm} ${digestType} ${hex(digest)}`;
    }
    default:
      // RFC 3597, 5: any content, where there is no form of its own. Types that dns-packet reads beyond that are shown as JSON.
      return Buffer.isBuffer(record.data)
        ? `\\# ${record.data.length} ${hex(record.data)}`.trimEnd()
        : JSON.stringify(record.data);
  }
}

const absolute = (name: string) => (name.endsWith(".") ? name : `${name}.`);
const hex = (bytes: Buffer) => bytes.toString("hex").toUpperCase();

function stringsOf(data: TxtData): Buffer[] {
  return (Array.isArray(data) ? data : [data]).map((each) => (typeof each === "string" ? Buffer.from(each) : each));
}

/** Bytes outside of ASCII's visible ones become \DDD, as everywhere in DNS. They can do nothing to a terminal then. */
function quoted(bytes: Buffer): string {
  const text = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === "\\") return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\${String(byte).padStart(3, "0")}`;
  });
  return `"${text.join("")}"`;
}
