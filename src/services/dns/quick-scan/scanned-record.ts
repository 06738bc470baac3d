import type { CaaData, MxData, SrvData } from "dns-packet";
import { type DnsRecord, plainName } from "../../../adapters/resolver/message.ts";
import { isWritable } from "../../../surfaces/wire-text.ts";
import { textContent } from "../zone-file/text-strings.ts";
import type { ZoneRecord } from "../zone-file/zone-record.ts";

/** The types of the public DNS that a zone here may have. A CNAME is answered to a question for any type. */
export const SCAN_TYPES = ["A", "AAAA", "MX", "TXT", "NS", "SRV", "CAA", "PTR", "CNAME"] as const;
export type ScanType = (typeof SCAN_TYPES)[number];

/** A record of an answer in the form of the API. Null for one that no text can hold. SQL judges the content. */
export function scannedRecord(name: string, { type, data, ttl = 0 }: DnsRecord): ZoneRecord | null {
  const { content, priority = null } = contentOf(type, data);
  if (!isWritable(content)) return null;
  return { name, type, ttl, content, priority, disabled: false, comment: null };
}

function contentOf(type: DnsRecord["type"], data: unknown): { content: string; priority?: number | null } {
  switch (type) {
    case "MX": {
      const { preference = 0, exchange } = data as MxData;
      return { content: hostOf(exchange), priority: preference };
    }
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = data as SrvData;
      return { content: `${weight} ${port} ${hostOf(target)}`, priority };
    }
    case "TXT":
      return { content: textContent([data as Buffer | Buffer[]].flat()) };
    case "CAA": {
      const { flags = 0, tag, value } = data as CaaData;
      return { content: `${flags} ${tag} "${value.replaceAll(/["\\]/g, "\\$&")}"` };
    }
    case "CNAME":
    case "NS":
    case "PTR":
      return { content: hostOf(String(data)) };
    default:
      return { content: String(data) };
  }
}

/** A host; the root is a dot. */
const hostOf = (name: string) => plainName(name) || ".";
