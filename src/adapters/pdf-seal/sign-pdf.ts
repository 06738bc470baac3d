/** A signature in two steps: what is to be signed, and what comes of the signature that somebody makes over it elsewhere. */
import { createHash } from "node:crypto";
import { checkSignature, cmsOf, roomOf, toSign } from "./cms.ts";
import type { SignaturePlan } from "./plan.ts";
import { SealingFailed } from "./sealing-failed.ts";
import type { Stamp } from "./stamp.ts";
import { overlayOf, type UpdateOptions, updateOf } from "./update-pdf.ts";

/** What is signed elsewhere. */
export interface ToPrepare {
  readonly pdf: Uint8Array;
  /** The instant that the signature shows, in whole seconds. */
  readonly at: Date;
  /** Why, as readers show it. */
  readonly reason: string;
  /** Who signs, as readers show it. */
  readonly name: string | null;
  /** The signer's certificate and those above it: DER, the signer's first. */
  readonly chain: readonly Buffer[];
  /** The name of the field that is signed: an empty one of this name, or else a new one. */
  readonly field: string;
  /** Names of new fields that stay empty: the first signature brings those of later ones. */
  readonly emptyFields: readonly string[];
  /** Whether the signature allows later ones, and nothing else (DocMDP, `/P 2`). Only the first signature of a PDF can. */
  readonly certify: boolean;
  readonly stamps?: readonly Stamp[];
  /** Bytes for the signature and its certificates; by default as many as they can have. */
  readonly room?: number;
}

/** What stands after the bytes of a PDF, with room for a signature, and the SHA-256 of what is signed: all but the room. */
export interface Prepared {
  readonly update: Buffer;
  readonly digest: Buffer;
}

/** Letters that stand for themselves in a PDF's string; a dot would make a path. */
const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$/;

/**
 * Prepares a PDF for a signature that is made elsewhere: PAdES baseline B-B. Prepared twice, the bytes are equal, so nothing of it needs to be kept.
 * @throws CertifiedClosed, Unsealable, SealingFailed; SignatureRefused where the certificate's key is none that signs; the signal's reason
 */
export async function prepareSignature(given: ToPrepare, options: UpdateOptions = {}): Promise<Prepared> {
  const { field, emptyFields, name } = given;
  const names = [field, ...emptyFields];
  if (new Set(names).size !== names.length || !names.every((each) => FIELD_NAME.test(each)))
    throw new TypeError("the names of signature fields are not usable");
  return prepare(
    { ...given, name: name ?? undefined, room: given.room ?? roomOf(given.chain), refuseClosed: true },
    options,
  );
}

type ToPlan = Omit<SignaturePlan, "at" | "certificate"> &
  Pick<ToPrepare, "pdf" | "at" | "chain"> & { readonly stamps?: readonly Stamp[] };

/** As `prepareSignature`, for every kind of signature. */
export async function prepare(given: ToPlan, options: UpdateOptions): Promise<Prepared> {
  const { pdf, at, reason, room, name, field, emptyFields, certify, refuseClosed } = given;
  const certificate = given.chain[0]?.toString("base64") ?? "";
  const signature: SignaturePlan = {
    ...{ at: at.toISOString(), reason, certificate, room },
    ...{ name, field, emptyFields, certify, refuseClosed },
  };
  const update = await updateOf(pdf, { overlay: await overlayOf(given.stamps ?? []), signature }, options);
  const found = roomIn(update, pdf.length);
  if (found.end - found.start !== 2 * room + 2) throw new SealingFailed("the sealer left no room for the signature");
  return { update, digest: digestOf(pdf, update, found) };
}

/**
 * Puts a signature into the room that was left for it. What is left of the room is zeros.
 * @param given `update`: as prepared for these bytes and this chain; `signature`: over the attributes that `toSign` tells
 * @throws SignatureRefused where that key did not sign this; SealingFailed where the update has no room for it
 */
export function finishSignature(given: {
  readonly pdf: Uint8Array;
  readonly update: Uint8Array;
  readonly chain: readonly Buffer[];
  readonly signature: Uint8Array;
}): Buffer {
  const { pdf, chain, signature } = given;
  const update = Buffer.from(given.update);
  const digest = digestOf(pdf, update, roomIn(update, pdf.length));
  checkSignature(toSign(digest, chain), chain, signature);
  return withSignature(pdf, update, cmsOf(digest, chain, signature));
}

/**
 * The PDF with what was prepared, and a signature in its room.
 * @param cms DER
 * @throws SealingFailed where the update has no room for it
 */
export function withSignature(pdf: Uint8Array, update: Buffer, cms: Buffer): Buffer {
  const { start, end } = roomIn(update, pdf.length);
  if (2 * cms.length > end - start - 2) throw new SealingFailed("the room does not fit the signature");
  const signed = Buffer.concat([pdf, update]);
  signed.write(cms.toString("hex"), pdf.length + start + 1, "latin1");
  return signed;
}

/** Where the room for a signature stands in an update, its brackets included. */
interface Room {
  readonly start: number;
  readonly end: number;
}

/**
 * The room of an update, of which no byte is signed. The process that made it may have been taken over by the PDF: the room must be the one
 * that the PDF says, empty, and all else of the file must be signed.
 * @param before bytes of the PDF
 */
function roomIn(update: Buffer, before: number): Room {
  const at = update.lastIndexOf("/ByteRange");
  const numbers =
    at < 0 ? null : /^\/ByteRange ?\[0 (\d+) +(\d+) +(\d+) *\]/.exec(update.toString("latin1", at, at + 80));
  const [, length = -1, second = -1, rest = -1] = (numbers ?? []).map(Number);
  const [start, end] = [length - before, second - before];
  const isRoom =
    start > at &&
    end > start &&
    end + rest === update.length &&
    /^<(?:00)+>$/.test(update.toString("latin1", start, end));
  if (!isRoom) throw new SealingFailed("the sealer left no room for the signature");
  return { start, end };
}

const digestOf = (pdf: Uint8Array, update: Buffer, { start, end }: Room): Buffer =>
  createHash("sha256").update(pdf).update(update.subarray(0, start)).update(update.subarray(end)).digest();
