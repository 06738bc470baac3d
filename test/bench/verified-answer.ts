import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { type Answer, encode } from "dns-packet";
import { recordsOf } from "../../src/adapters/crypto/dnssec-key.ts";
import type { DnsRecord, Reply } from "../../src/adapters/resolver/message.ts";

type Signature = Extract<DnsRecord, { type: "RRSIG" }>;

const HEADER_BYTES = 12;
/** Type, class, TTL and length, between the name of a record and its data (RFC 1035 §3.2.1). */
const FIXED_BYTES = 10;
const KEY_BYTES = 32;

/**
 * Whether each set of records in a reply has a signature that is good now, by the key with this DS record (RFC 4035 §5.3). ECDSA P-256 alone.
 * Does not judge whether the records answer the question: delv does.
 * @param dnskeys the reply to a question for the DNSKEY records of the zone
 * @param ds data of a DS record with SHA-256
 */
export function isVerified(reply: Reply, dnskeys: Reply, zone: string, ds: string): boolean {
  const key = keyOf(dnskeys, zone, ds);
  if (key === null) return false;
  const records = [...reply.answers, ...reply.authorities];
  const signatures = records.filter((record): record is Signature => record.type === "RRSIG");
  const sets = Map.groupBy(
    records.filter(({ type }) => type !== "RRSIG"),
    ({ name, type }) => `${name} ${type}`,
  );
  return (
    sets.size > 0 &&
    [...sets.values()].every((set) =>
      signatures.some(
        ({ name, data }) => name === set[0]?.name && data.typeCovered === set[0].type && isGood(set, data, key),
      ),
    )
  );
}

/** The two coordinates of the key with this DS record. */
function keyOf({ answers }: Reply, zone: string, ds: string): Buffer | null {
  for (const record of answers)
    if (record.type === "DNSKEY" && recordsOf(zone, record.data.key).dsRecords.includes(ds)) return record.data.key;
  return null;
}

function isGood(set: readonly DnsRecord[], signature: Signature["data"], key: Buffer): boolean {
  const now = Date.now() / 1_000;
  if (signature.inception > now || signature.expiration < now) return false;
  const [x, y] = [key.subarray(0, KEY_BYTES), key.subarray(KEY_BYTES)].map((each) => each.toString("base64url"));
  const jwk = { kty: "EC", crv: "P-256", x, y } as JsonWebKey;
  const head = wire({ type: "RRSIG", name: ".", ttl: 0, class: "IN", data: { ...signature, signature: Buffer.of() } });
  const records = set.map((record) => wire({ ...record, ttl: signature.originalTTL } as Answer));
  const signed = Buffer.concat([head.subarray(1 + FIXED_BYTES), ...records.sort(Buffer.compare)]);
  return verify(
    "sha256",
    signed,
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    signature.signature,
  );
}

/** A record in the form of the wire, without compression. */
const wire = (record: Answer): Buffer => encode({ type: "response", answers: [record] }).subarray(HEADER_BYTES);
