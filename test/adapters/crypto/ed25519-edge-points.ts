/** The points and encodings of Ed25519 on which verifiers differ, computed from the curve and not copied from a list. */
import { Point } from "@noble/ed25519";

const FIELD_ORDER = 2n ** 255n - 19n;
const GROUP_ORDER = Point.CURVE().n;

/** 32 bytes, little-endian. */
export function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
}

/** The eight points whose order divides 8: any point's multiples of L, until all are met. The first is the identity. */
export function smallOrderPoints(): Point[] {
  const points: Point[] = [Point.ZERO];
  for (let y = 2n; points.length < 8; y++) {
    const point = pointAt(y);
    if (point === null) continue;
    const part = point.multiplyUnsafe(GROUP_ORDER - 1n).add(point);
    let multiple = part;
    for (let times = 0; times < 8; times++, multiple = multiple.add(part)) {
      if (!points.some((known) => known.equals(multiple))) points.push(multiple);
    }
  }
  return points;
}

/** Their encodings, 14 in all: both signs, reduced and not. */
export function smallOrderEncodings(): Buffer[] {
  const encodings = new Map<string, Buffer>();
  for (const { y } of smallOrderPoints().map((point) => point.toAffine())) {
    for (const value of [y, y + FIELD_ORDER]) {
      if (value >= 2n ** 255n) continue;
      for (const encoded of bothSigns(value)) encodings.set(encoded.toString("hex"), encoded);
    }
  }
  return [...encodings.values()];
}

/** Every encoding whose y is not reduced: p to 2^255 - 1, both signs; 38 in all, on the curve or not. */
export function unreducedEncodings(): Buffer[] {
  const encodings: Buffer[] = [];
  for (let y = FIELD_ORDER; y < 2n ** 255n; y++) encodings.push(...bothSigns(y));
  return encodings;
}

function bothSigns(y: bigint): [Buffer, Buffer] {
  return [toBytes(y), toBytes(y + 2n ** 255n)];
}

/** Half of all y are on no point. */
function pointAt(y: bigint): Point | null {
  try {
    return Point.fromBytes(toBytes(y));
  } catch {
    return null;
  }
}
