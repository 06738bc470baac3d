import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Drawn, Stamp } from "../../../adapters/pdf-seal/stamp.ts";
import type { ObjectStore } from "../../../adapters/storage/object-store.ts";
import { writeSealed } from "../../../adapters/storage/sealed-object.ts";
import type { DataKey } from "../documents/data-key.ts";
import { contentKey, readContent } from "../documents/document-content.ts";
import type { PdfSealer, SealedFinal } from "./pdf-sealer.ts";
import { type StampWords, stampWords } from "./stamp-words.ts";

/** A filled field, as signature.fields_to_draw answers it. */
export const fieldToDraw = z.object({
  page: z.int(),
  page_size: z.object({ width: z.number(), height: z.number() }),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  type: z.string(),
  value: z.union([z.string(), z.boolean()]),
  signature: z.string().nullish(),
  participant_id: z.uuid().optional(),
  enciphered_cpf: z.base64().nullish(),
  signed_by: z.string().nullish(),
  signed_at: z.object({ utc: z.string(), local: z.string(), offset: z.string() }).nullish(),
  certified: z.string().optional(),
});

/** What jobs.documents_to_seal answers. */
export const toSeal = z
  .object({
    at: z.iso.datetime({ offset: true }),
    verification_code: z.string(),
    verify_url: z.string().nullable(),
    language: z.string(),
    time_zone: z.string(),
    documents: z.array(
      z.object({
        id: z.uuid(),
        object_id: z.uuid(),
        size: z.int(),
        sha256: z.string(),
        field: z.string().nullish(),
        fields: z.array(fieldToDraw),
      }),
    ),
  })
  .nullable();

type ToSeal = NonNullable<z.output<typeof toSeal>>;

/** What stamps say of an envelope. */
type About = Pick<ToSeal, "verification_code" | "verify_url" | "language" | "time_zone">;

/** The final form of a document: an object of the storage. */
export interface FinalDocument {
  readonly object_id: string;
  readonly size: number;
  /** SHA-256 of the sealed PDF, in hexadecimal. */
  readonly sha256: string;
}

interface Place {
  readonly objects: ObjectStore;
  readonly sealer: Pick<PdfSealer, "sealFinal">;
  readonly dataKey: DataKey;
  readonly environment: "live" | "test";
}

/** A final document in the storage, and what became of its time stamp. */
interface StoredFinal extends Omit<SealedFinal, "pdf"> {
  readonly final: FinalDocument;
}

/** Larger than any upload: stamps and the seal are added to it. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Seals a document of an envelope from its original, and stores the sealed PDF, encrypted as its original is.
 * @param asksForTime whether a time stamp is asked for, where there is an authority
 * @throws StorageError; Error for an original that is not what was uploaded; what the sealer throws
 */
export async function sealDocument(
  { objects, sealer, dataKey, environment }: Place,
  envelope: ToSeal,
  document: ToSeal["documents"][number],
  asksForTime: boolean,
  signal?: AbortSignal,
): Promise<StoredFinal> {
  const pdf = await documentBytes({ objects, dataKey }, document);
  const { pdf: sealed, ...stamped } = await sealer.sealFinal(
    {
      pdf,
      environment,
      at: new Date(envelope.at),
      reason: `Envelope ${envelope.verification_code}`,
      stamps: stampsOf(document.fields, envelope, dataKey),
      field: document.field ?? undefined,
    },
    asksForTime,
    signal,
  );
  return { ...stamped, final: await storePdf({ objects, dataKey }, sealed, signal) };
}

/**
 * The bytes of a document.
 * @throws StorageError; Error for content that is not what its row says
 */
export async function documentBytes(
  { objects, dataKey }: Pick<Place, "objects" | "dataKey">,
  { id, object_id, sha256 }: Pick<ToSeal["documents"][number], "id" | "object_id" | "sha256">,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readContent(objects, dataKey, object_id)) pieces.push(Buffer.from(piece));
  const pdf = Buffer.concat(pieces);
  if (createHash("sha256").update(pdf).digest("hex") !== sha256)
    throw new Error(`the content of document ${id} is not what was signed`);
  return pdf;
}

/** Stores a form of a document, encrypted as its original is. */
export async function storePdf(
  { objects, dataKey }: Pick<Place, "objects" | "dataKey">,
  pdf: Buffer,
  signal?: AbortSignal,
): Promise<FinalDocument> {
  const id = randomUUID();
  const { sha256, bytes } = await writeSealed(objects, contentKey(dataKey, id), inOne(pdf), MOST_BYTES, signal);
  return { object_id: id, size: bytes, sha256: sha256.toString("hex") };
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** What is drawn in the fields of a document. */
export const stampsOf = (fields: readonly z.output<typeof fieldToDraw>[], envelope: About, dataKey: DataKey): Stamp[] =>
  fields.flatMap((each) => stampsOfField(each, envelope, dataKey));

function stampsOfField(
  { page, page_size: pageSize, x, y, width, height, ...filled }: z.output<typeof fieldToDraw>,
  envelope: About,
  dataKey: DataKey,
): Stamp[] {
  const drawn = drawnOf(filled, envelope, dataKey);
  return drawn === null ? [] : [{ page, pageSize, x, y, width, height, drawn }];
}

const drawing = z.object({
  kind: z.literal("drawn"),
  ratio: z.int(),
  paths: z.array(z.array(z.tuple([z.int(), z.int()]))),
});
const signature = z.discriminatedUnion("kind", [z.object({ kind: z.literal("typed"), text: z.string() }), drawing]);

function drawnOf(
  filled: Omit<z.output<typeof fieldToDraw>, "page" | "page_size" | "x" | "y" | "width" | "height">,
  envelope: About,
  dataKey: DataKey,
): Drawn | null {
  const words = stampWords(envelope.language);
  if (filled.certified !== undefined) {
    const { verification_code: code, verify_url: verifyUrl } = envelope;
    const caption = words.certified({ name: filled.certified, code, verifyUrl });
    return {
      kind: "text",
      text: filled.certified,
      isSignature: true,
      ...(filled.type === "assinatura" ? { caption } : {}),
    };
  }
  if (filled.signature != null) {
    const given = signature.parse(JSON.parse(filled.signature));
    const caption = captionOf(filled, envelope, words);
    if (given.kind === "typed") return { kind: "text", text: given.text, isSignature: true, ...caption };
    return { kind: "paths", ratio: given.ratio, paths: given.paths, ...caption };
  }
  if (filled.enciphered_cpf != null) {
    // Answers mask the number. The document that the participant signed has it whole.
    const place = { table: "signature.participants", column: "enciphered_cpf", id: filled.participant_id ?? "" };
    const digits = dataKey.openText(Buffer.from(filled.enciphered_cpf, "base64"), place);
    return { kind: "text", text: digits.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4") };
  }
  if (filled.value === true) return { kind: "mark" };
  // An empty box stays empty.
  if (filled.value === false) return null;
  return { kind: "text", text: filled.type === "data" ? words.day(filled.value) : filled.value };
}

/** Initials have nothing below them. */
function captionOf(
  { type, signed_by: name, signed_at: clock }: Pick<z.output<typeof fieldToDraw>, "type" | "signed_by" | "signed_at">,
  { verification_code: code, verify_url: verifyUrl, time_zone: timeZone }: About,
  words: StampWords,
) {
  if (type !== "assinatura" || name == null || clock == null) return {};
  return { caption: words.caption({ name, clock, timeZone, code, verifyUrl }) };
}
