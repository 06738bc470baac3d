import { z } from "zod";
import { jsonOf } from "../../../surfaces/operation.ts";

/** A signed record of an envelope as answers show it: signature.record_body. */
export const signedRecord = z
  .object({
    id: z.uuid().meta({ description: "Id of the record." }),
    participant_id: z.uuid().nullable().meta({ description: "The participant. Null for the completion." }),
    evidence: jsonOf("What was signed, with the names and the form in which it was signed."),
    platform_signature: z.string().meta({ description: "Ed25519 signature over the canonical evidence, base64." }),
    platform_key_id: z.string().meta({ description: "The Ed25519 key that signed." }),
    platform_signature_pq: z
      .string()
      .meta({ description: "ML-DSA-87 (FIPS 204) signature over the same bytes, base64." }),
    platform_pq_key_id: z.string().meta({ description: "The ML-DSA-87 key that signed." }),
  })
  .meta({ title: "SignedRecord", words: "A signed record of an envelope.", description: "The signed record." });
