import { z } from "zod";
import { page, type Route } from "../../surfaces/rest/route.ts";
import { wireText } from "../platform/wire-text.ts";
import { proofInput } from "./operations/register-proof.ts";
import type { SignatureParts } from "./parts.ts";
import { getReceipt } from "./rest/get-receipt.ts";
import { getPublicProof, verifyPublicProof } from "./rest/public-proof.ts";
import { registerProof } from "./rest/register-proof.ts";

const proofId = z.strictObject({ id: z.uuid("must be a UUID").meta({ description: "The proof." }) });
/** Whatever cannot be a code is the code of no proof: 404 like any other that does not exist. */
const publicCode = z
  .string()
  .transform((code) => (/^[\w\s\p{Dash}]+$/u.test(code) ? code : ""))
  .meta({
    type: "string",
    description: "XXXX-XXXX-XXXX, in whatever case, with or without the hyphens, or with spaces.",
  });
const digest = proofInput.pick({ sha256: true });

/** Proofs of existence, of the organization and for the public. */
export const proofRoutes: readonly Route<SignatureParts>[] = [
  // Proofs of existence: signature-service §4
  {
    method: "POST",
    path: "/proofs",
    operation: "registerProof",
    tag: "Proofs of existence",
    summary: "Register a digest or a file",
    description:
      "Send the SHA-256 digest as JSON, and the file never leaves the house; or send the file as multipart/form-data: it is " +
      "hashed as it arrives and not kept. A new proof takes one signature credit in the live environment. " +
      "A digest that the organization registered before answers 200 with the earlier proof, and takes none.",
    command: "prepare_proofs",
    writesLater: true,
    status: 201,
    answers: {
      schema: "Proof",
      statuses: {
        201: "A new proof; `created` is true.",
        200: "The organization registered this digest before: the earlier proof, with `created` false.",
      },
    },
    errors: ["insufficient_credits", "clock_behind"],
    body: proofInput,
    multipart: { fields: proofInput.pick({ label: true }), with: "fields beside the file" },
    handle: registerProof,
  },
  {
    method: "GET",
    path: "/proofs",
    operation: "listProofs",
    tag: "Proofs of existence",
    summary: "List or search proofs, newest first",
    command: "list_proofs",
    status: 200,
    answers: { schema: "ProofPage" },
    query: page.extend({
      search: wireText(255).optional().meta({
        description:
          "Only proofs whose digest starts with this, or whose label or file name contains it, whatever the case.",
      }),
    }),
  },
  {
    method: "GET",
    path: "/proofs/{id}",
    operation: "getProof",
    tag: "Proofs of existence",
    summary: "Read a proof",
    command: "get_proof",
    status: 200,
    answers: { schema: "Proof" },
    errors: ["not_found"],
    params: proofId,
  },
  {
    method: "GET",
    path: "/proofs/{id}/receipt",
    operation: "getReceipt",
    tag: "Proofs of existence",
    summary: "Download the receipt of a proof",
    description:
      "A PDF to hand on, made anew each time: digest, instant (in the organization's time zone and in UTC), verification " +
      "code, QR code, key ids, the canonical payload, and how to check it. Its attachment `evidence.json` holds all that " +
      "checking it offline needs.\n\nThe same proof gives the same bytes while the organization's language and time zone, and the " +
      "version of Selo, stay the same; `ETag` says which bytes. A `Range` of one range of bytes answers 206 with these bytes, or 416 " +
      "`range_not_satisfiable` with the length in `Content-Range`. `If-Range` and `If-None-Match`, which answers 304, are evaluated.",
    command: "prepare_receipt",
    status: 200,
    answers: { file: "application/pdf", description: "The receipt." },
    errors: ["not_found"],
    params: proofId,
    handle: getReceipt,
  },
  // Proofs for the public
  {
    method: "GET",
    path: "/public/proofs/{code}",
    operation: "getPublicProof",
    tag: "Public verification",
    summary: "Look a proof up by its verification code",
    description: "Both signatures are verified again, now, against the registry of platform keys.",
    command: "find_public_proof",
    status: 200,
    answers: { schema: "VerifiedProof" },
    errors: ["proof_not_found"],
    params: z.strictObject({ code: publicCode }),
    handle: getPublicProof,
  },
  {
    method: "POST",
    path: "/public/proofs/verify",
    operation: "verifyPublicProof",
    tag: "Public verification",
    summary: "Find the earliest proof of a digest or a file",
    description:
      "Looks among the live proofs of all organizations; where several registered the same digest, the earliest is " +
      "answered. A file is hashed as it arrives and not kept. Nothing is written.",
    command: "find_proof_of_digest",
    status: 200,
    answers: { schema: "VerifiedProof" },
    errors: ["proof_not_found"],
    body: digest,
    multipart: { fields: digest, with: "the file or the fields" },
    handle: verifyPublicProof,
  },
];
