import { randomInt } from "node:crypto";
import type { DataKey } from "../documents/data-key.ts";

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

/** What SQL compares in place of six digits: only a holder of the data key can make it. In hexadecimal. */
export const codeDigest = (key: DataKey, code: string, id: string): string =>
  key.derive("signing-code", `${id}:${code}`).toString("hex");

/** The token of the session that a code opens, or a link alone, of the id of either: 43 characters, always the same under one data key, so no row has to keep it. */
export const sessionToken = (key: DataKey, codeId: string): string =>
  key.derive("signing-session", codeId).toString("base64url");
