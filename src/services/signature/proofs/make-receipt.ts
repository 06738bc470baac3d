import type { ReceiptContent } from "../../../adapters/pdf/receipt-content.ts";
import { WorkThreadBusyError } from "../../../adapters/threads/work-thread.ts";
import { unavailable } from "../../../errors/app-error.ts";
import type { PlatformKeysRow, ProofsRow } from "../../../postgres/generated/views.ts";
import type { SignatureParts } from "../parts.ts";
import { checkSeal, type SealedProof } from "./check-seal.ts";

/** The answer of SQL, see gateway.prepare_receipt. */
export interface PreparedReceipt extends SealedProof {
  readonly platform_keys: readonly PlatformKeysRow[] | null;
  readonly proof: ProofsRow;
  readonly environment: "live" | "test";
  readonly language: string;
  readonly time_zone: string;
  readonly local_time: string;
  readonly utc_offset: string;
}

/**
 * Makes the PDF of a receipt.
 * @throws AppError 503; Error if the proof does not verify
 */
export async function makeReceipt(
  prepared: PreparedReceipt,
  { receipts, siteOperator }: Pick<SignatureParts, "receipts" | "siteOperator">,
): Promise<{ readonly pdf: Buffer; readonly fileName: string }> {
  const { proof, signed } = prepared;
  const seal = await checkSeal(prepared);
  // Somebody changed the database. This is a server error and is logged: nobody gets a receipt with false facts.
  if (!seal.valid) throw new Error(`proof ${proof.id} does not verify: ${JSON.stringify(seal)}`);
  const content: ReceiptContent = {
    language: /^pt\b/i.test(prepared.language) ? "pt-BR" : "en",
    isTest: prepared.environment === "test",
    operator: { name: siteOperator.name, details: siteOperator.details },
    organization: String((proof.evidence as { readonly organization: unknown }).organization),
    label: proof.label,
    fileName: proof.file_name,
    fileSize: proof.file_size,
    sha256: proof.sha256,
    registeredAt: proof.registered_at,
    localTime: prepared.local_time,
    utcOffset: prepared.utc_offset,
    timeZone: prepared.time_zone,
    verificationCode: proof.verification_code,
    verifyUrl: proof.verify_url,
    keyIds: [proof.platform_key_id, proof.platform_pq_key_id],
    payload: signed,
    evidence: Buffer.from(`${JSON.stringify(evidenceFile(prepared), null, 2)}\n`, "utf8"),
  };
  const pdf = await receipts.render(content).catch((error: unknown) => {
    throw error instanceof WorkThreadBusyError ? unavailable(error) : error;
  });
  return { pdf, fileName: `receipt-${proof.verification_code}.pdf` };
}

/** evidence.json, in the form that src/verifier/README.md describes. */
function evidenceFile({ proof, signed, platform_keys }: PreparedReceipt): object {
  return {
    payload: signed,
    signatures: [
      { algorithm: "Ed25519", key_id: proof.platform_key_id, signature: proof.platform_signature },
      { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, signature: proof.platform_signature_pq },
    ],
    keys: platform_keys?.map(({ key_id, algorithm, public_key, environment }) => ({
      key_id,
      algorithm,
      public_key,
      environment,
    })),
  };
}
