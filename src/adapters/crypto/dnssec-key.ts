import { createHash, generateKeyPairSync } from "node:crypto";

/** A key that signs a zone by itself (CSK): ECDSA P-256 with SHA-256 (RFC 6605). */
export interface DnssecKey {
  /** RFC 4034, appendix B. */
  readonly keyTag: number;
  /** The data of its DNSKEY record: `257 3 13 …`. */
  readonly dnskey: string;
  /** The data of its DS records with SHA-256 and SHA-384: `12345 13 2 ABC…`. */
  readonly dsRecords: readonly string[];
  /** The private key in the format of BIND, which PowerDNS reads. */
  readonly privateKey: string;
}

/** Zone key and secure entry point (RFC 4034 §2.1.1): resolvers reach it by a DS record. */
const FLAGS = 257;
const PROTOCOL = 3;
const ALGORITHM = 13;
const DIGESTS = [
  { type: 2, hash: "sha256" },
  { type: 4, hash: "sha384" },
] as const;

/**
 * Makes a key for a zone.
 * @param zone its apex in A-labels, without the final dot
 * @param takenTags tags that the key must not have
 */
export function makeDnssecKey(zone: string, takenTags: readonly number[] = []): DnssecKey {
  for (;;) {
    const {
      x = "",
      y = "",
      d = "",
    } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      format: "jwk",
    });
    const records = recordsOf(zone, Buffer.concat([bytesOf(x), bytesOf(y)]));
    if (takenTags.includes(records.keyTag)) continue;
    const privateKey = `Private-key-format: v1.2\nAlgorithm: ${ALGORITHM} (ECDSAP256SHA256)\nPrivateKey: ${bytesOf(d).toString("base64")}\n`;
    return { ...records, privateKey };
  }
}

/**
 * What the zone and its parent publish of a key.
 * @param publicKey the two coordinates of its point, 32 bytes each (RFC 6605 §4)
 */
export function recordsOf(zone: string, publicKey: Uint8Array): Omit<DnssecKey, "privateKey"> {
  const data = Buffer.concat([Buffer.of(FLAGS >> 8, FLAGS & 255, PROTOCOL, ALGORITHM), publicKey]);
  const keyTag = keyTagOf(data);
  return {
    keyTag,
    dnskey: `${FLAGS} ${PROTOCOL} ${ALGORITHM} ${Buffer.from(publicKey).toString("base64")}`,
    // RFC 4034 §5.1.4.
    dsRecords: DIGESTS.map(({ type, hash }) => {
      const digest = createHash(hash).update(wireName(zone)).update(data).digest("hex");
      return `${keyTag} ${ALGORITHM} ${type} ${digest.toUpperCase()}`;
    }),
  };
}

const bytesOf = (text: string) => Buffer.from(text, "base64url");

/** The sum of RFC 4034, appendix B, over the data of a DNSKEY record. */
function keyTagOf(data: Uint8Array): number {
  const sum = data.reduce((total, byte, place) => total + (place % 2 === 0 ? byte << 8 : byte), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}

/** A name in the form of the wire: labels with their lengths, and the root (RFC 1035 §3.1). */
function wireName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from(label, "latin1"));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}
