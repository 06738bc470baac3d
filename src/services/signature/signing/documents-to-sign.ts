import { z } from "zod";
import type { FairSlots } from "../../../adapters/fair-slots.ts";
import { SealingFailed, Unsealable } from "../../../adapters/pdf-seal/sealing-failed.ts";
import { type Prepared, prepareSignature } from "../../../adapters/pdf-seal/sign-pdf.ts";
import type { ObjectStore } from "../../../adapters/storage/object-store.ts";
import { AppError, unavailable } from "../../../errors/app-error.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import type { DataKey } from "../documents/data-key.ts";
import { documentBytes, fieldToDraw, stampsOf } from "../envelopes/final-documents.ts";
import type { Given } from "./certificate-judge.ts";
import { inTurn } from "./certificate-turns.ts";

/** What signature.documents_to_sign answers, with the instant. */
export const toSignSchema = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  language: z.string(),
  time_zone: z.string(),
  verify_url: z.string().nullable(),
  verification_code: z.string(),
  name: z.string(),
  participant_id: z.uuid(),
  link_version: z.int(),
  enciphered_cpf: z.string().nullable(),
  field: z.string(),
  at: z.iso.datetime({ offset: true }),
  documents: z.array(
    z.object({
      id: z.uuid(),
      object_id: z.uuid(),
      size: z.int(),
      sha256: z.string(),
      certifies: z.boolean(),
      empty_fields: z.array(z.string()),
      fields: z.array(fieldToDraw),
    }),
  ),
});

export type ToSign = z.output<typeof toSignSchema>;

/** The CPF that the sender of the envelope gave, in digits. */
function cpfOf({ participant_id: id, enciphered_cpf: sealed }: ToSign, dataKey: DataKey): string | null {
  if (sealed === null) return null;
  return dataKey.openText(Buffer.from(sealed, "base64"), {
    table: "signature.participants",
    column: "enciphered_cpf",
    id,
  });
}

/** What the judge is asked about a chain, DER in base64. */
export const toJudge = (toSign: ToSign, chain: readonly string[], dataKey: DataKey): Given => ({
  tenantId: toSign.tenant_id,
  environment: toSign.environment,
  chain: chain.map((each) => Buffer.from(each, "base64")),
  at: new Date(toSign.at),
  cpf: cpfOf(toSign, dataKey),
});

/** A document with room for the signature of a participant. */
export interface PreparedDocument extends Prepared {
  readonly id: string;
  readonly pdf: Buffer;
  /** SHA-256 of the PDF, in hexadecimal. */
  readonly base: string;
}

interface Parts {
  readonly objects: ObjectStore;
  readonly dataKey: DataKey;
  readonly slots: FairSlots;
}

/**
 * Prepares each document for the signature of a participant, one after the other: each is a process. The same input gives the same bytes.
 * @param path the participant's certificate, and those above it
 * @param use is given each document with its signature still missing, so that one of them is in memory at a time
 * @throws AppError 422 unprocessable_pdf for a document that cannot be signed, 503 unavailable
 */
export async function prepareDocuments(
  { objects, dataKey, slots }: Parts,
  toSign: ToSign,
  path: readonly Buffer[],
  use: (document: PreparedDocument) => Promise<void> | void,
): Promise<void> {
  const { field, at, name, verification_code: code } = toSign;
  await inTurn(slots, toSign.tenant_id, async () => {
    for (const document of toSign.documents) {
      const pdf = await documentBytes({ objects, dataKey }, document);
      const prepared = await prepareSignature({
        pdf,
        at: new Date(at),
        reason: `Envelope ${code}`,
        name,
        chain: path,
        field,
        emptyFields: document.empty_fields,
        certify: document.certifies,
        stamps: stampsOf(document.fields, toSign, dataKey),
      });
      await use({ ...prepared, id: document.id, pdf, base: document.sha256 });
    }
  }).catch((error: unknown) => {
    if (error instanceof Unsealable)
      throw new AppError(
        422,
        "unprocessable_pdf",
        "A document cannot be signed. Tell the sender of the envelope.",
        undefined,
        { cause: error },
      );
    throw error instanceof SealingFailed ? unavailable(error) : storageRefusal(error);
  });
}
