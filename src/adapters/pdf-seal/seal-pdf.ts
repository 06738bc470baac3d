import { type SealKey, signDigest } from "./cms.ts";
import { prepare, withSignature } from "./sign-pdf.ts";
import type { Stamp } from "./stamp.ts";
import { roomFor, type SignatureStamp, stamped } from "./time-stamp-attribute.ts";
import type { UpdateOptions } from "./update-pdf.ts";

export interface ToSeal {
  readonly pdf: Uint8Array;
  /** The instant that the PDF's signature shows. */
  readonly at: Date;
  /** Why, as readers show it. */
  readonly reason: string;
  readonly stamps?: readonly Stamp[];
  /** The empty field that an earlier signature brought for the seal. */
  readonly field?: string | undefined;
}

/**
 * Seals a PDF: PAdES baseline B-B, or B-T with a time stamp. A separate process, which never has the key, reads the PDF and says what stands after its bytes; this
 * process adds that, and signs what it has itself. So the sealed PDF begins with the bytes of the PDF, whatever that process says.
 * The same input and key give the same bytes, unless there is a time stamp. What a time stamp leaves of its room is zeros.
 * @throws Unsealable, SealingFailed; what the time stamp throws; the signal's reason
 */
export async function sealPdf(
  given: ToSeal,
  key: SealKey,
  options: UpdateOptions & { readonly timeStamp?: SignatureStamp | undefined } = {},
): Promise<Buffer> {
  const { timeStamp } = options;
  // Signatures of one key are equally long. Without a time stamp no byte of the room is left over, which somebody could change unnoticed.
  const room = signDigest(Buffer.alloc(32), key).length + (timeStamp === undefined ? 0 : roomFor(timeStamp));
  const { update, digest } = await prepare({ ...given, chain: [key.certificate], room }, options);
  const made = signDigest(digest, key);
  return withSignature(given.pdf, update, timeStamp === undefined ? made : await stamped(made, timeStamp));
}
