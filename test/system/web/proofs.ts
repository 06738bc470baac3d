import { randomBytes } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { keyId } from "../../../src/verifier/key-ids.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { call, filePart, multipartBody } from "../../support/rest-client.ts";

hashes.sha512 = sha512;

/** A proof as its owner gets it. */
export interface OwnProof {
  readonly id: string;
  readonly sha256: string;
  readonly verification_code: string;
  readonly evidence: Readonly<Record<string, JsonValue>>;
  readonly platform_signature: string;
  readonly platform_signature_pq: string;
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

export interface PublicKey {
  readonly key_id: string;
  readonly algorithm: string;
  readonly public_key: string;
  readonly environment: string;
}

/** A file as playwright puts it into a page. */
export interface PageFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const pageFile = (name: string, content: string | Uint8Array): PageFile => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(content),
});

/** Registers a file by uploading it, as organizations do. */
export async function register(selo: TestGateway, token: string, file: PageFile): Promise<OwnProof> {
  const { bytes, headers } = multipartBody([filePart(file.buffer, file.name)]);
  const { status, body } = await call(selo, "POST", "/proofs", { token, body: bytes, headers });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as OwnProof;
}

export async function platformKeys(selo: TestGateway): Promise<PublicKey[]> {
  return (await call(selo, "GET", "/public/platform-key")).body.platform_keys;
}

/** The receipt as the service makes it. */
export async function receipt(selo: TestGateway, token: string, proof: OwnProof): Promise<PageFile> {
  const response = await fetch(`${selo.baseUrl}/api/v1/proofs/${proof.id}/receipt`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return pageFile("receipt.pdf", new Uint8Array(await response.arrayBuffer()));
}

/** `evidence.json` as receipts hold it, with members changed by a forger. */
export function evidenceJson(
  proof: OwnProof,
  keys: readonly PublicKey[],
  changes: Readonly<Record<string, JsonValue>> = {},
): string {
  return JSON.stringify({
    payload: canonicalJson({ ...proof.evidence, ...changes }),
    signatures: [
      { algorithm: "Ed25519", key_id: proof.platform_key_id, signature: proof.platform_signature },
      { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, signature: proof.platform_signature_pq },
    ],
    keys,
  });
}

/** A PDF with that attached, and nothing else: what a forger needs to make. */
export async function forgedReceipt(evidence: string): Promise<PageFile> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  await pdf.attach(Buffer.from(evidence), "evidence.json", { mimeType: "application/json" });
  return pageFile("forged.pdf", await pdf.save());
}

/** Everything consistent, but with keys that the service never had. */
export function signedByForger({ evidence }: OwnProof): string {
  const secrets = { ed25519: randomBytes(32), mlDsa87: ml_dsa87.keygen(randomBytes(32)) };
  const publicKeys = { Ed25519: getPublicKey(secrets.ed25519), "ML-DSA-87": secrets.mlDsa87.publicKey };
  const ids = {
    Ed25519: keyId("Ed25519", publicKeys.Ed25519),
    "ML-DSA-87": keyId("ML-DSA-87", publicKeys["ML-DSA-87"]),
  };
  const payload = canonicalJson({ ...evidence, key_id: ids.Ed25519, pq_key_id: ids["ML-DSA-87"] });
  const signatures = {
    Ed25519: sign(Buffer.from(payload), secrets.ed25519),
    "ML-DSA-87": ml_dsa87.sign(Buffer.from(payload), secrets.mlDsa87.secretKey),
  };
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const algorithms = ["Ed25519", "ML-DSA-87"] as const;
  return JSON.stringify({
    payload,
    signatures: algorithms.map((algorithm) => ({
      algorithm,
      key_id: ids[algorithm],
      signature: base64(signatures[algorithm]),
    })),
    keys: algorithms.map((algorithm) => ({
      key_id: ids[algorithm],
      algorithm,
      public_key: base64(publicKeys[algorithm]),
      environment: "live",
    })),
  });
}
