import { randomInt, timingSafeEqual } from "node:crypto";
import type { DataKey } from "./data-key.ts";

/** One-time codes: six digits, kept encrypted in signature.signing_codes. */
export const CODE_FORM = /^[0-9]{6}$/;

const placeOf = (id: string) => ({ table: "signature.signing_codes", column: "enciphered_code", id });

/** Six random digits. Drawn here and not injected: a code that somebody foresees opens the envelope of another. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

export const sealCode = (key: DataKey, code: string, id: string): string =>
  key.sealText(code, placeOf(id)).toString("base64");

/** @throws SealedTextError unless this very text was sealed for this code */
export const openCode = (key: DataKey, sealed: string, id: string): string =>
  key.openText(Buffer.from(sealed, "base64"), placeOf(id));

/** Compares in constant time. */
export function isCode(given: string, code: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(code)];
  return one.length === other.length && timingSafeEqual(one, other);
}
