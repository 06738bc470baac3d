import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { AppError } from "../../../errors/app-error.ts";
import type { Database } from "../../../postgres/database.ts";
import type { PublicProofsRow } from "../../../postgres/generated/views.ts";
import type { SampleProof } from "../../../surfaces/web/sample-card.ts";
import { sampleFile } from "../../../surfaces/web/sample-file.ts";
import { checkSeal, type SealedProof } from "./check-seal.ts";

/**
 * Reads the proof that the home page shows, as `GET /api/v1/public/proofs/{code}` does for the page that the card links to.
 * @returns null unless it is a live proof of the sample file that is valid now: the card would say of another proof what its link does not say
 */
export async function readSample(database: Database, code: string): Promise<SampleProof | null> {
  const found = await publicProof(database, code);
  if (found === null || found.proof.environment !== "live" || found.proof.sha256 !== sampleDigest()) return null;
  if (!(await checkSeal(found)).valid) return null;
  const { organization, registered_at, verification_code } = found.proof;
  return { code: verification_code, organization, registeredAt: new Date(registered_at) };
}

async function publicProof(
  database: Database,
  code: string,
): Promise<(SealedProof & { readonly proof: PublicProofsRow }) | null> {
  try {
    const { body } = await database.read({
      credentialHash: null,
      command: "find_public_proof",
      arguments: { code },
      origin: { requestId: randomUUID(), address: "127.0.0.1", channel: "page" },
    });
    return JSON.parse(body ?? "null");
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}

let digest: string | null = null;

/** The file is part of the build, and a build does not change while a process serves it. */
function sampleDigest(): string {
  digest ??= createHash("sha256").update(fs.readFileSync(sampleFile())).digest("hex");
  return digest;
}
