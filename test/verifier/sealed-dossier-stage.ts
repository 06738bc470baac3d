// Dossiers of envelopes that ended, as the verifier and the Python program that was written from its README see them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readDossier } from "../../src/verifier/dossier.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { type PlatformKey, UnreadableError } from "../../src/verifier/keys.ts";
import { type EnvelopeVerification, verifyEnvelope } from "../../src/verifier/verify-envelope.ts";
import type { SignatureChecks } from "../../src/verifier/verify-with.ts";

/** @throws UnreadableError */
export async function verifiedDossier(
  bytes: Buffer,
  trusted: readonly PlatformKey[] | null,
  signatures: SignatureChecks = HYBRID_CHECKS,
): Promise<EnvelopeVerification> {
  const read = async (start: number, end: number) => bytes.subarray(start, end);
  const dossier = await readDossier({ size: bytes.length, read }, () => createHash("sha256"));
  if (dossier === null) throw new UnreadableError("no dossier");
  return verifyEnvelope(signatures, dossier.evidence, dossier.files, trusted);
}

/** The checks of signatures, each made once: most changes of a dossier change none of them. */
export function remembered(): SignatureChecks {
  const known = new Map<string, boolean>();
  const once =
    (check: SignatureChecks["ed25519"]): SignatureChecks["ed25519"] =>
    (...parts) => {
      const hash = createHash("sha256");
      for (const part of parts) hash.update(`${part.length} `).update(part);
      const name = hash.digest("hex");
      const found = known.get(name) ?? check(...parts);
      known.set(name, found);
      return found;
    };
  return { ed25519: once(HYBRID_CHECKS.ed25519), mlDsa87: once(HYBRID_CHECKS.mlDsa87) };
}

export type Change = { readonly at: number; readonly xor: number } | { readonly zip: string };

/** What the Python program finds proved of each changed dossier, in one process. */
export function provedByPython(
  folder: string,
  dossier: Buffer,
  keys: string,
  changes: readonly Change[],
): (string | null)[] {
  const [zip, keysFile] = [path.join(folder, "flipped.zip"), path.join(folder, "keys.json")];
  fs.writeFileSync(zip, dossier);
  fs.writeFileSync(keysFile, keys);
  const program = path.join(import.meta.dirname, "flip_dossier.py");
  const { stdout, stderr, status } = spawnSync("python3", [program, zip, keysFile], {
    input: changes.map((change) => `${JSON.stringify(change)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as (string | null)[];
}

/** What the verifier finds proved. */
export async function proved(
  bytes: Buffer,
  trusted: readonly PlatformKey[],
  signatures?: SignatureChecks,
): Promise<string | null> {
  try {
    const { verdict, evidence } = await verifiedDossier(bytes, trusted, signatures);
    return verdict !== "proved" ? null : evidence.completion === null ? "ended" : "completed";
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}
