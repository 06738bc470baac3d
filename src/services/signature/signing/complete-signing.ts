import { z } from "zod";
import type { FieldText } from "../../../adapters/pdf/field-text.ts";
import { WorkThreadBusyError } from "../../../adapters/threads/work-thread.ts";
import { AppError, invalidRequest, unavailable } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { keptNumbers, keyOfCaller, personalNumbers } from "../envelopes/personal-numbers.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { countAttempt } from "./count-attempt.ts";
import { signatureOfDocument, signDocuments, toEmbedSchema } from "./signed-documents.ts";
import { withoutNews } from "./signing-news.ts";
import { signingSurface as surface } from "./signing-surface.ts";

/** The text to sign, as SQL prepares it. */
interface PreparedCompletion {
  /** Canonical JSON; null for a participant who has finished already. */
  readonly evidence: string | null;
  readonly key_id: string;
  readonly pq_key_id: string;
  /** Texts of the participant that are drawn on documents. */
  readonly texts: readonly (FieldText & { readonly field_id: string })[];
  /** What the signatures of a participant with a certificate are put into, before there is evidence. */
  readonly to_embed?: unknown;
  /** Of the commitments in the evidence, by name. */
  readonly salts: Readonly<Record<string, string>>;
}

/** Levels of a signature: itself, its paths, a path, a point. JSON.stringify goes down by recursion. */
const SIGNATURE_DEPTH = 4;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1));
}

/** SQL checks it, and names the member `signature` for all faults. */
const signature = z
  .looseObject({})
  .refine((given) => isWithin(given, SIGNATURE_DEPTH), "must be a signature, and no deeper")
  .meta({
    description:
      "Required for a signatario who signs without a certificate, and refused for others. Typed: `kind` and `text`. Drawn: `kind`, `ratio` and `paths`. At most 64 KiB of JSON.",
    required: ["kind"],
    properties: {
      kind: { type: "string", enum: ["typed", "drawn"], description: "How the participant signs." },
      text: {
        type: "string",
        minLength: 1,
        maxLength: 255,
        description: "The name as the participant typed it. A character that cannot be drawn in documents is refused.",
      },
      ratio: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 1,
        description: "Height of the drawing, as a fraction of its width.",
      },
      paths: {
        type: "array",
        minItems: 1,
        description: "Lines through points `[x, y]`, from the left and the top edge. A line has at least two points.",
        items: {
          type: "array",
          minItems: 1,
          items: { type: "array", minItems: 2, maxItems: 2, items: { type: "number", minimum: 0, maximum: 1 } },
        },
      },
    },
  });

/** zod drops this member without a word. */
const HIDDEN_BY_ZOD = "__proto__";

const values = z
  .unknown()
  .check(({ value, issues }) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, HIDDEN_BY_ZOD))
      issues.push({
        code: "custom",
        input: value,
        path: [HIDDEN_BY_ZOD],
        message: "must be a field of the participant",
      });
  })
  .pipe(z.record(z.string(), z.union([z.string(), z.boolean()], "must be a text, true or false")))
  .meta({
    description:
      "What the participant fills in, by the id of the field. cargo, empresa and texto: up to 1,000 characters; a texto must also fit its field at 6 points. numero: a decimal number as text. checkbox: true or false. " +
      "The server fills in the other kinds. Values of hidden fields are ignored. A character that cannot be drawn in documents is refused.",
  });

/** SQL does not know how wide letters are. */
async function refuseUnreadable(
  texts: PreparedCompletion["texts"],
  { fieldTexts }: Pick<SignatureParts, "fieldTexts">,
): Promise<void> {
  if (texts.length === 0) return;
  const readable = await fieldTexts.readableCharacters(texts).catch((error: unknown) => {
    throw error instanceof WorkThreadBusyError ? unavailable(error) : error;
  });
  const faults = texts.flatMap(({ field_id }, place) => {
    const most = readable[place] ?? null;
    if (most === null) return [];
    return [
      {
        field: `values.${field_id}`,
        message:
          most === 0
            ? "does not fit: the field is too small for a character that can be read"
            : `must have at most ${most} characters: no more of this text can be read in the field`,
      },
    ];
  });
  if (faults.length > 0) throw invalidRequest(faults);
}

type Action = "signed" | "approved" | "witnessed";

/** SQL prepares the evidence, both signatures are made here, and SQL records what the participant did in one transaction. */
export const completeSigning = operation({
  name: "completeSigning",
  command: "prepare_completion",
  records: "record_completion",
  made: ["session_sha256", "cpf_mask", "signed"],
  input: z.object({
    signature: signature.nullish(),
    values: values.nullish(),
    signatures: z.array(signatureOfDocument).max(100, "must have one signature of each document").nullish().meta({
      description:
        "Required for a participant who signs with a certificate, and refused for others: a signature of each document of `POST /{participant_id}/certificate`.",
    }),
    cpf: personalNumbers.cpf.meta({
      description: "CPF of the participant, for a cpf field where the sender did not give the CPF.",
    }),
  }),
  answers: { schema: "SigningDone" },
  errors: [
    "session_expired",
    "factor_required",
    "not_your_turn",
    "conflict",
    "certificate_refused",
    "revocation_unknown",
    "unprocessable_pdf",
    "clock_behind",
  ],
  rest: {
    surface,
    method: "POST",
    path: "/{participant_id}/complete",
    status: 200,
    tag: "Signing",
    summary: "Sign, approve or witness",
    description:
      "The participant agrees to the text of `consent_version` and finishes. The signed record holds digests of the documents, and salted commitments instead of names, addresses and values. A repeated request gets the same answer. Returns 409 `conflict` for an observador, and once the envelope has ended. With signatures, also where no certificate was sent in the last ten minutes, and where another participant has signed since: the certificate is sent again then.",
  },
  run: async (work, { cpf, ...given }) => {
    const { call, prepared, parts, requester } = work;
    const { participant_id } = given;
    const key = cpf == null ? null : await keyOfCaller(parts, requester, "prepare_completion");
    const { cpf_mask, enciphered_cpf } = keptNumbers({ cpf: cpf ?? undefined }, participant_id, key);
    const facts = { ...given, ...(cpf_mask == null ? {} : { cpf_mask }) };
    let action: Action | null = null;
    const { signatures, ...said } = given;
    const prepare = (more: object, go: (body: PreparedCompletion) => Promise<Answer>) =>
      prepared<PreparedCompletion>("prepare_completion", { ...facts, ...more }, go);
    /** Both keys sign, and the database records. */
    const finish =
      (signed: object = {}) =>
      async ({ evidence, texts, key_id, pq_key_id, salts }: PreparedCompletion): Promise<Answer> => {
        if (evidence === null) return call("record_completion", said);
        await refuseUnreadable(texts, parts);
        ({ action } = JSON.parse(evidence) as { readonly action: Action });
        const seal = await parts.signers.seal(key_id, pq_key_id, Buffer.from(evidence, "utf8"));
        const { signatures: _, ...known } = facts;
        return call("record_completion", {
          ...known,
          ...signed,
          ...(enciphered_cpf == null ? {} : { enciphered_cpf }),
          evidence,
          salts,
          platform_signature: seal.ed25519.toString("base64"),
          platform_signature_pq: seal.mlDsa87.toString("base64"),
        });
      };
    const act = () =>
      prepare({}, async (body) => {
        if (body.to_embed === undefined) return finish()(body);
        const toEmbed = toEmbedSchema.parse(body.to_embed);
        await countAttempt(parts.database, "signatures", toEmbed);
        const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
        const signed = await signDocuments(parts, dataKey, toEmbed, signatures ?? []);
        const { facts: signed_facts, path, revocationObjectId: revocation_object_id } = signed;
        return prepare({ signed: signed_facts }, finish({ signed: signed_facts, path, revocation_object_id })).catch(
          async (error: unknown) => {
            // A refusal wrote nothing. After any other error the database may name the objects.
            if (error instanceof AppError && error.status < 500) await signed.discard().catch(() => {});
            throw error;
          },
        );
      });
    const answer = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, act);
    // Also of an answer that was kept under the Idempotency-Key of the request.
    return withoutNews(answer, (environment) => {
      if (action !== null) parts.signatureMetrics.signed(environment, action);
    });
  },
});
