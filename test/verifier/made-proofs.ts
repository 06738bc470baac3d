import { createHash } from "node:crypto";
import { once } from "node:events";
import PDFDocument from "pdfkit";
import { createHybridSigner, type HybridSigner } from "../../src/adapters/crypto/hybrid-signature.ts";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { keyId } from "../../src/verifier/key-ids.ts";

type Json = Record<string, JsonValue>;

/** Two keys of one environment, as the platform has them. */
export interface Pair {
  readonly signer: HybridSigner;
  readonly keyIds: readonly [string, string];
  /** As `GET /api/v1/public/platform-key` lists them. */
  readonly keys: readonly [Json, Json];
}

/** Keys from seeds of one repeated byte each: known to everybody. */
function pair(environment: "live" | "test", seed: number): Pair {
  const signer = createHybridSigner({ ed25519: Buffer.alloc(32, seed), mlDsa87: Buffer.alloc(32, seed + 1) });
  const { ed25519, mlDsa87 } = signer.publicKeys;
  const keyIds = [keyId("Ed25519", ed25519), keyId("ML-DSA-87", mlDsa87)] as const;
  const key = (key_id: string, algorithm: string, raw: Buffer) =>
    ({ key_id, algorithm, public_key: raw.toString("base64"), environment }) as const;
  return { signer, keyIds, keys: [key(keyIds[0], "Ed25519", ed25519), key(keyIds[1], "ML-DSA-87", mlDsa87)] };
}

export const live = pair("live", 1);
export const test = pair("test", 3);
/** Of somebody who is not the platform, and says that they are live ones. */
export const attacker = pair("live", 5);

export const FILE = Buffer.from("Contract 12: the parties agree.\n", "utf8");
export const FILE_NAME = "contract-12.txt";
export const hashed = (bytes: Uint8Array, name = FILE_NAME) => ({
  sha256: createHash("sha256").update(bytes).digest("hex"),
  name,
  size: bytes.length,
});

/** What is signed for FILE, with the pair's key ids. */
export function members({ keyIds }: Pair, changes: Json = {}): Json {
  return {
    kind: "existence_proof",
    schema_version: 1,
    proof_id: "019a9fd0-6c3e-7b51-9c55-0d2c5c1b7a10",
    tenant_id: "67004921-eb5e-4a29-9c57-5723748b78fb",
    organization: "Ação & Filhos Ltda 😀",
    hash_algorithm: "SHA-256",
    sha256: hashed(FILE).sha256,
    label: 'Contrato "12"',
    file_name: FILE_NAME,
    file_size: FILE.length,
    registered_at: "2026-11-20T12:34:56.633467+00:00",
    verification_code: "7Q2M-K9XT-4HBC",
    time_source: "platform_server_clock_utc",
    key_id: keyIds[0],
    pq_key_id: keyIds[1],
    hybrid_policy: "AND",
    ...changes,
  };
}

export interface EvidenceFile {
  payload: string;
  signatures: { algorithm: string; key_id: string; signature: string }[];
  keys: Json[];
}

/** evidence.json of a receipt, signed by the adapter that the platform signs with. */
export async function evidenceFile(by: Pair, payload = canonicalJson(members(by))): Promise<EvidenceFile> {
  const { ed25519, mlDsa87 } = await by.signer.sign(Buffer.from(payload, "utf8"));
  return {
    payload,
    signatures: [
      { algorithm: "Ed25519", key_id: by.keyIds[0], signature: ed25519.toString("base64") },
      { algorithm: "ML-DSA-87", key_id: by.keyIds[1], signature: mlDsa87.toString("base64") },
    ],
    keys: [...by.keys],
  };
}

/** The same as the API answers it; publicly with what is not null of name and size left out. */
export function apiProof({ payload, signatures, keys }: EvidenceFile, isPublic: boolean): Json {
  const evidence = JSON.parse(payload) as Json;
  const redacted = ["file_name", "file_size"].filter((name) => isPublic && evidence[name] !== null);
  for (const name of redacted) delete evidence[name];
  return {
    evidence,
    platform_signature: signatures[0]?.signature ?? null,
    platform_key_id: signatures[0]?.key_id ?? null,
    platform_signature_pq: signatures[1]?.signature ?? null,
    platform_pq_key_id: signatures[1]?.key_id ?? null,
    ...(isPublic ? { redacted, platform_keys: keys } : {}),
  };
}

/** A PDF with attachments, as pdfkit makes receipts. */
export async function pdf(
  attachments: readonly (readonly [name: string, content: string | Uint8Array])[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument(options);
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  document.text("What stands here proves nothing.");
  for (const [name, content] of attachments) document.file(Buffer.from(content), { name });
  document.end();
  await once(document, "end");
  return Buffer.concat(chunks);
}
