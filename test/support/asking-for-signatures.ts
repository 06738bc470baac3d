import type { Query } from "../../src/adapters/resolver/message.ts";

/** Where the flags of an OPT record without options begin, from the end of the message (RFC 6891 §6.1.3). */
const FLAGS_FROM_END = 4;
/** DNSSEC OK (RFC 3225). */
const DO = 0x80;

/** The same query, which asks for signatures, too. Its last record is that of EDNS. */
export function askingForSignatures(query: Query): Query {
  const bytes = Buffer.from(query.bytes);
  const place = bytes.length - FLAGS_FROM_END;
  bytes.writeUInt8(bytes.readUInt8(place) | DO, place);
  return { ...query, bytes };
}
