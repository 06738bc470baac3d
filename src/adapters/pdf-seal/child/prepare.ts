import { createHash } from "node:crypto";
import { PDF, PdfArray, type PdfDict, PdfString } from "@libpdf/core";
import type { Plan } from "../plan.ts";
import { drawOverlay } from "./draw-overlay.ts";

/** The field that holds the seal. */
const FIELD = "Selo";

/** What @libpdf/core keeps of a PDF and does not show. */
interface Inside {
  _isLinearized: boolean;
  _recoveredViaBruteForce: boolean;
}

/**
 * Adds to a PDF what is drawn on it and an empty signature, as an incremental update: the bytes that are there stay, and with them the
 * signatures over them.
 * @returns what stands after the bytes of the PDF
 */
export async function prepare(original: Buffer, plan: Plan): Promise<Uint8Array> {
  const pdf = await PDF.load(original, { lenient: false });
  const inside = pdf as unknown as Inside;
  // The update is legal after a linearized file too (ISO 32000-2, annex G): readers then read it as any other.
  inside._isLinearized = false;
  if (inside._recoveredViaBruteForce) throw new Unreadable("the cross-reference was rebuilt");

  if (plan.overlay !== null) await drawOverlay(pdf, plan.overlay);
  const { trailer } = pdf.context.info;
  trailer.set("ID", identifiers(trailer, original, plan));
  const { bytes } = await pdf.sign({
    signer: {
      certificate: new Uint8Array(Buffer.from(plan.certificate, "base64")),
      keyType: "RSA",
      signatureAlgorithm: "RSASSA-PKCS1-v1_5",
      // Another process has the key. It writes the signature over what stands here.
      sign: async () => new Uint8Array(1),
    },
    fieldName: newName(
      new Set(
        pdf
          .getForm()
          ?.getFields()
          .map(({ name }) => name),
      ),
    ),
    reason: plan.reason,
    signingTime: new Date(plan.at),
    estimatedSize: plan.room,
  });
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, original.length).equals(original))
    throw new Unreadable("the bytes of the PDF did not stay");
  return bytes.subarray(original.length);
}

/** The library reads another document than the check did. */
class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The first stays as it is; the second changes with the document (ISO 32000-2, 14.4). Drawn from the content: the same input gives the same bytes. */
function identifiers(trailer: PdfDict, original: Buffer, plan: Plan): PdfArray {
  const digest = createHash("sha256").update(JSON.stringify(plan)).update(original).digest();
  const next = PdfString.fromBytes(new Uint8Array(digest.subarray(0, 16)));
  const [first] = trailer.getArray("ID") ?? [];
  return new PdfArray([first instanceof PdfString ? first : next, next]);
}

function newName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? FIELD : `${FIELD} ${number}`;
    if (!taken.has(name)) return name;
  }
}
