import { Document } from "../../pdf-check/child/document.ts";
import { pageSizes } from "../../pdf-check/child/page-tree.ts";
import { Bomb, Unreadable } from "../../pdf-check/child/values.ts";
import type { Answer, Order, SeenSignature } from "../answer.ts";
import { findSignatures, TooManySignatures } from "./find-signatures.ts";

/** As the check of uploads: elsewhere the offsets mean nothing. */
const HEADER = /^%PDF-(1\.[0-7]|2\.0)[\0\t\f\r\n ]/;
/** Readers look for a header so far into the file. */
const HEADER_WITHIN = 1024;

/** The signatures of a file, each checked; none of a file that is no PDF. */
export async function answer(file: Buffer, order: Order): Promise<Answer> {
  if (!file.toString("latin1", 0, HEADER_WITHIN).includes("%PDF-")) return { is_pdf: false, signatures: [] };
  try {
    if (!HEADER.test(file.toString("latin1", 0, 16))) return { refused: "damaged" };
    const document = new Document(file);
    if (document.crossReference.trailers.some((trailer) => trailer.has("Encrypt"))) return { refused: "encrypted" };
    // A file without pages is no document, even if it is signed.
    if (pageSizes(document, Number.POSITIVE_INFINITY).length === 0) return { refused: "damaged" };
    const found = findSignatures(document);
    const signatures: SeenSignature[] = [];
    if (found.length > 0) {
      // Loaded only for a file that needs it: pkijs is larger than all else here.
      const { SignatureChecker } = await import("./check-signature.ts");
      const { RangeDigests } = await import("./range-digests.ts");
      const checker = new SignatureChecker(file, new RangeDigests(file), order);
      for (const each of found) signatures.push(await checker.check(each));
    }
    return { is_pdf: true, signatures };
  } catch (error) {
    if (error instanceof Unreadable) return { refused: "damaged" };
    if (error instanceof Bomb) return { refused: "too_large" };
    if (error instanceof TooManySignatures) return { refused: "too_many_signatures" };
    throw error;
  }
}
