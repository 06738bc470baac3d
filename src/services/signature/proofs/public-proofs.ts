import { z } from "zod";
import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { PublicProofsRow } from "../../../postgres/generated/views.ts";
import { rowOf, type Work } from "../../../surfaces/operation.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { checkSeal, type SealedProof, sealVerdict } from "./check-seal.ts";

const answers = {
  schema: "VerifiedProof",
  row: "public_proofs",
  with: z
    .object({
      platform_keys: z
        .array(rowOf("platform_keys", "PlatformKey"))
        .meta({ description: "The two keys that the evidence names, as far as the registry has them." }),
      verification: sealVerdict,
    })
    .meta({ description: "Verified for this answer." }),
};

const payload = {
  name: "VerifiedProof",
  description: "A proof in its public form, checked for this answer.",
  row: { name: "proof", description: "The proof, without the file's name and size." },
};

/** Finds a proof for the public by its verification code, and verifies both its signatures against the key registry. */
export const getPublicProof = operation({
  name: "getPublicProof",
  command: "find_public_proof",
  answers,
  errors: ["proof_not_found"],
  rest: {
    method: "GET",
    path: "/public/proofs/{code}",
    status: 200,
    tag: "Public verification",
    summary: "Look up a proof by its verification code",
    description: "Both signatures are verified for this answer, against the registry of platform keys.",
  },
  graphql: {
    field: "publicProof",
    description:
      "The proof with a verification code. Needs no token. Returns 404 proof_not_found if no proof has the code.",
    payload,
  },
  run: (work, input) => verified(work, "find_public_proof", input),
});

const WHERE_IT_LOOKS =
  "The search covers the live proofs of all organizations. If several organizations registered the same digest, the answer is the earliest proof. Proofs of the test environment are not found by digest, only by their verification code.";

/** Finds a proof by the digest of a file, or by the file itself, which is hashed as it arrives and thrown away. */
export const verifyPublicProof = operation({
  name: "verifyPublicProof",
  command: "find_proof_of_digest",
  file: { most: ({ proofMaxFileBytes }) => proofMaxFileBytes, kept: "digest", orMembers: true },
  answers,
  errors: ["proof_not_found"],
  rest: [
    {
      method: "POST",
      path: "/public/proofs/verify",
      status: 200,
      tag: "Public verification",
      summary: "Find the earliest proof of a digest",
      description:
        `${WHERE_IT_LOOKS} Nothing is written.\n\n` +
        "To find the proof of a file, use `POST /public/proofs/verify-file`. This path also accepts a form, multipart/form-data, with either the file or the digest.",
    },
    {
      name: "verifyPublicFile",
      takes: "file",
      method: "POST",
      path: "/public/proofs/verify-file",
      status: 200,
      tag: "Public verification",
      summary: "Find the earliest proof of a file",
      description: `The file is hashed as it arrives and is not stored. ${WHERE_IT_LOOKS} Nothing is written.`,
    },
  ],
  graphql: {
    field: "verifiedProof",
    description:
      "The earliest live proof of a file, by its digest, among all organizations. Needs no token. Proofs of the test " +
      "environment are not found by digest, only by their verification code. Returns 404 proof_not_found if no live proof has the digest.",
    payload,
  },
  run: (work, input) => verified(work, "find_proof_of_digest", input),
});

async function verified(
  { call }: Work<SignatureParts>,
  command: AnyCommand,
  query: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const answer = await call(command, query);
  const found = JSON.parse(answer.body ?? "") as SealedProof & { readonly proof: PublicProofsRow };
  const { proof, platform_keys } = found;
  const body = { ...proof, platform_keys: platform_keys ?? [], verification: await checkSeal(found) };
  return { ...answer, body: JSON.stringify(body) };
}
