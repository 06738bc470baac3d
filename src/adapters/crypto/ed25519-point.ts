/**
 * Which encoded points are accepted as an Ed25519 public key, or as the R of a signature, before any curve arithmetic.
 *
 * RFC 8032 §5.1.3 refuses a y that is not reduced, but OpenSSL decodes it. Neither refuses the eight points of small
 * order. Under a key of small order a signature can fit messages that nobody signed. As R such a point means a nonce of
 * zero, which reveals the private key. libsodium refuses both, and so do recent releases of Node (nodejs/node#64026). We
 * refuse both in our own code, so that the result does not depend on a library's version.
 */

/** 2^255 - 19, the order of the field (RFC 8032 §5.1). */
const FIELD_ORDER = 2n ** 255n - 19n;

/** The y of the points whose order divides 8 (orders 4, 1, 2, 8 and 8); x, and with it the sign bit, does not matter. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  FIELD_ORDER - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]);

/** Whether the bytes are 32, encode a reduced y, and are not a point of small order. Does not check whether y is on the curve. */
export function isStrictEd25519Point(encoded: Uint8Array): boolean {
  if (encoded.length !== 32) return false;
  const littleEndian = Buffer.from(encoded.buffer, encoded.byteOffset, 32);
  // The top bit is the sign of x.
  const y =
    ((littleEndian.readBigUInt64LE(24) & 0x7fff_ffff_ffff_ffffn) << 192n) |
    (littleEndian.readBigUInt64LE(16) << 128n) |
    (littleEndian.readBigUInt64LE(8) << 64n) |
    littleEndian.readBigUInt64LE(0);
  return y < FIELD_ORDER && !SMALL_ORDER_Y.has(y);
}
