import { createHash } from "node:crypto";
import { z } from "zod";
import { SignatureRefused } from "../../../adapters/pdf-seal/cms.ts";
import { finishSignature } from "../../../adapters/pdf-seal/sign-pdf.ts";
import type { ObjectStore } from "../../../adapters/storage/object-store.ts";
import { AppError, invalidRequest } from "../../../errors/app-error.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import type { DataKey } from "../documents/data-key.ts";
import { type FinalDocument, storePdf } from "../envelopes/final-documents.ts";
import { maskedCpf } from "../envelopes/personal-numbers.ts";
import type { SignatureParts } from "../parts.ts";
import type { Accepted } from "./certificate-judge.ts";
import { prepareDocuments, toJudge, toSignSchema } from "./documents-to-sign.ts";

/** A signature of a document, made with the private key of the participant's certificate. */
export const signatureOfDocument = z.object({
  document_id: z.uuid().meta({ description: "The document." }),
  signature: z
    .base64()
    .max(2_048, "must be a signature")
    .meta({ description: "The signature: PKCS#1 for RSA, DER for ECDSA. Base64." }),
});

/** What `gateway.prepare_completion` answers before the signatures are in the documents. */
export const toEmbedSchema = toSignSchema.extend({
  chain: z.array(z.base64()),
  digests: z.array(z.object({ document_id: z.uuid(), base: z.string(), digest: z.string() })),
});

/** What a participant signed, as the commands of the database take it. */
export interface Signed {
  readonly facts: {
    readonly documents: Readonly<Record<string, FinalDocument>>;
    readonly at: string;
    readonly certificate: object;
    readonly revocation: object;
  };
  /** The certificates, base64. */
  readonly path: readonly string[];
  readonly revocationObjectId: string | null;
  /** Removes the objects again: no row names them. */
  readonly discard: () => Promise<void>;
}

type Parts = Pick<SignatureParts, "objects" | "certificateJudge" | "signingSlots">;

/**
 * Puts the signatures of a participant into the documents and stores these: all, or none.
 * @throws AppError 409 conflict where what was signed would be another now, 422 for a signature that is not of the document or the certificate
 */
export async function signDocuments(
  { objects, certificateJudge, signingSlots: slots }: Parts,
  dataKey: DataKey,
  toEmbed: z.output<typeof toEmbedSchema>,
  signatures: readonly z.output<typeof signatureOfDocument>[],
): Promise<Signed> {
  const accepted = await certificateJudge.judge(toJudge(toEmbed, toEmbed.chain, dataKey));
  const { path } = accepted.judged;
  const offered = new Map(toEmbed.digests.map(({ document_id, digest }) => [document_id, digest]));
  const given = new Map(signatures.map(({ document_id, signature }) => [document_id, signature]));
  const documents: Record<string, FinalDocument> = {};
  let revocationObjectId: string | null = null;
  const discard = async () => {
    for (const { object_id } of Object.values(documents)) await objects.remove(object_id);
    if (revocationObjectId !== null) await objects.remove(revocationObjectId);
  };
  try {
    await prepareDocuments({ objects, dataKey, slots }, toEmbed, path, async ({ id, pdf, update, digest }) => {
      if (digest.toString("hex") !== offered.get(id)) throw changed();
      documents[id] = await storePdf(
        { objects, dataKey },
        embedded({ id, pdf, update, chain: path }, given.get(id) ?? ""),
      );
    });
    revocationObjectId = await storeSources({ objects, dataKey }, accepted);
  } catch (error) {
    await discard().catch(() => {});
    throw error;
  }
  return {
    facts: {
      documents,
      at: toEmbed.at,
      certificate: certificateFacts(accepted, toEmbed.name),
      revocation: revocationFacts(accepted),
    },
    path: path.map((each) => each.toString("base64")),
    revocationObjectId,
    discard,
  };
}

/** Something that is drawn or named changed, such as the time zone of the organization. */
const changed = () =>
  new AppError(
    409,
    "conflict",
    "The documents are prepared in another way by now. Send the certificate again, and sign what the answer has.",
  );

function embedded(
  { id, ...given }: Omit<Parameters<typeof finishSignature>[0], "signature"> & { readonly id: string },
  signature: string,
): Buffer {
  try {
    return finishSignature({ ...given, signature: Buffer.from(signature, "base64") });
  } catch (error) {
    if (!(error instanceof SignatureRefused)) throw error;
    const message = "is not a signature of signed_attributes with the key of the certificate that was sent last";
    throw invalidRequest([{ field: `signatures.${id}`, message }]);
  }
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

function certificateFacts({ judged, name }: Accepted, participantName: string) {
  return {
    path: judged.path.map(sha256),
    name,
    ...(judged.cpf === null ? {} : { cpf: maskedCpf(judged.cpf) }),
    issuer: judged.issuerName,
    is_named: isSameName(name, participantName) ? "same" : "differs",
  };
}

/** Certificates have capital letters, and often no accents. */
function isSameName(one: string, other: string): boolean {
  const bare = (name: string) =>
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return bare(one) === bare(other);
}

const revocationFacts = ({ revocation: { status, sources } }: Accepted) => ({
  status,
  answers: sources.map(({ kind, certificate, bytes }) => ({
    kind,
    certificate,
    size: bytes.length,
    sha256: sha256(bytes),
  })),
});

/** What issuers said, one answer after the other. */
async function storeSources(
  parts: { readonly objects: ObjectStore; readonly dataKey: DataKey },
  { revocation: { sources } }: Accepted,
): Promise<string | null> {
  if (sources.length === 0) return null;
  const stored = await storePdf(parts, Buffer.concat(sources.map(({ bytes }) => bytes))).catch((error: unknown) => {
    throw storageRefusal(error);
  });
  return stored.object_id;
}
