/** What the evidence report of an envelope is made from, and its attachment. */
import { createHash } from "node:crypto";
import type {
  Act,
  Clock,
  GivenSignature,
  ReportContent,
  ReportParticipant,
  Step,
} from "../../../adapters/pdf/report-content.ts";
import type { SiteOperator } from "../../../config/config.ts";
import type { PlatformKeysRow } from "../../../postgres/generated/views.ts";

type ReceiptKey = Pick<PlatformKeysRow, "key_id" | "algorithm" | "public_key" | "environment">;

interface SignedText {
  readonly record: {
    readonly id: string;
    readonly participant_id: string | null;
    readonly platform_key_id: string;
    readonly platform_signature: string;
    readonly platform_pq_key_id: string;
    readonly platform_signature_pq: string;
  };
  /** The canonical JSON that both signatures cover. */
  readonly signed: string;
}

interface Opening {
  readonly salt: string;
  readonly value: string;
}

interface SignedRecord extends SignedText {
  /** Null once erased. */
  readonly openings: Readonly<Record<string, Opening>> | null;
  readonly signed_at: Clock;
  readonly authentication: readonly { readonly method: string; readonly at: Clock; readonly reference: string }[];
}

/** The answer of SQL, see signature.report_of. */
export interface PreparedReport {
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  readonly organization: string;
  readonly language: "pt-BR" | "en";
  readonly time_zone: string;
  readonly fault: string | null;
  readonly envelope: {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly verification_code: string;
    readonly verify_url: string;
    readonly sent_at: Clock;
    readonly expires_at: Clock;
    readonly completed_at: Clock | null;
  };
  readonly documents: readonly {
    readonly id: string;
    readonly filename: string;
    readonly pages: number;
    readonly sha256: string;
    readonly final_sha256: string | null;
  }[];
  readonly participants: readonly (Pick<ReportParticipant, "id" | "name" | "email" | "role" | "modality" | "status"> & {
    readonly decline_reason: string | null;
    readonly erased_at: Clock | null;
    readonly values: readonly {
      readonly type: string;
      readonly label: string | null;
      /** Null once erased. */
      readonly value: string | boolean | null;
      readonly page: number;
      readonly filename: string;
      readonly sha256: string | null;
      readonly size: number | null;
    }[];
  })[];
  readonly records: readonly SignedRecord[];
  readonly completion: SignedText | null;
  readonly consents: ReportContent["consents"];
  readonly steps: readonly [PreparedStep, ...PreparedStep[]];
  readonly head_hash: string;
  readonly events: readonly PreparedEvent[];
  /** The events by which another person came into the place of a participant. */
  readonly hands: readonly {
    readonly seq: number;
    readonly participant_id: string;
    /** `name`, `email`, `previous_name` and `previous_email`; none once erased. */
    readonly openings: Readonly<Record<string, Opening>>;
  }[];
  readonly platform_keys: readonly ReceiptKey[];
}

/** An event as `GET /audit` answers it. */
export interface PreparedEvent extends Readonly<Record<string, unknown>> {
  readonly seq: number;
}

interface PreparedStep extends Omit<Step, "actor"> {
  readonly actor_type: string;
  readonly actor_id: string | null;
}

/** What a participant's signed record says, as far as the report shows it. */
interface RecordEvidence {
  readonly action: string;
  readonly consent: { readonly version: string; readonly language: string; readonly sha256: string };
  /** The three of who signed with a certificate. */
  readonly certificate_sha256?: string | null;
  readonly certificate_name?: "same" | "differs";
  readonly revocation?: { readonly status: string };
}

/** The content of the report's pages. */
export function reportContent(prepared: PreparedReport, operator: SiteOperator): ReportContent {
  const { envelope, completion, steps } = prepared;
  const [first, ...others] = steps;
  return {
    kind: "report",
    language: prepared.language,
    isTest: prepared.environment === "test",
    operator: { name: operator.name, details: operator.details },
    organization: prepared.organization,
    timeZone: prepared.time_zone,
    envelopeId: envelope.id,
    title: envelope.title,
    status: envelope.status,
    verificationCode: envelope.verification_code,
    verifyUrl: envelope.verify_url,
    sentAt: envelope.sent_at,
    expiresAt: envelope.expires_at,
    completedAt: envelope.completed_at,
    documents: prepared.documents.map(({ filename, final_sha256, ...document }) => ({
      ...document,
      fileName: filename,
      finalSha256: final_sha256,
    })),
    participants: prepared.participants.map((participant) => ({
      ...participant,
      declineReason: participant.decline_reason,
      erasedAt: participant.erased_at,
      act: actOf(prepared.records.find(({ record }) => record.participant_id === participant.id)),
      values: participant.values.map(({ filename, ...value }) => ({ ...value, fileName: filename })),
    })),
    consents: prepared.consents,
    steps: [stepOf(first), ...others.map(stepOf)],
    hands: prepared.hands.map(({ seq, participant_id, openings }) => {
      const person = (name: string, email: string) => ({
        name: openings[name]?.value ?? null,
        email: openings[email]?.value ?? null,
      });
      return {
        seq,
        participantId: participant_id,
        before: person("previous_name", "previous_email"),
        after: person("name", "email"),
      };
    }),
    headHash: prepared.head_hash,
    completion:
      completion === null
        ? null
        : {
            sha256: createHash("sha256").update(completion.signed).digest("hex"),
            hasTimeStamps: (JSON.parse(completion.signed) as { readonly timestamp?: string }).timestamp === "valid",
            signatures: signaturesOf(completion).map(({ algorithm, key_id, signature }) => ({
              algorithm,
              keyId: key_id,
              sha256: createHash("sha256").update(signature, "base64").digest("hex"),
            })),
          },
    evidence: Buffer.from(`${JSON.stringify(evidenceFile(prepared))}\n`, "utf8"),
  };
}

const stepOf = ({ seq, at, action, details, actor_type, actor_id }: PreparedStep): Step => ({
  seq,
  at,
  action,
  details,
  actor: { type: actor_type, id: actor_id },
});

function actOf(signed: SignedRecord | undefined): ReportParticipant["act"] {
  if (signed === undefined) return null;
  const { record, openings, signed_at, authentication } = signed;
  const evidence = JSON.parse(signed.signed) as RecordEvidence;
  const { action, consent } = evidence;
  const signature = openings?.["signature"]?.value;
  return {
    recordId: record.id,
    action,
    at: signed_at,
    authentication,
    consent,
    signature: signature === undefined ? null : (JSON.parse(signature) as GivenSignature),
    certificate: certificateOf(evidence, openings),
    keyIds: [record.platform_key_id, record.platform_pq_key_id],
  };
}

function certificateOf(
  { certificate_sha256: sha256, certificate_name: name, revocation }: RecordEvidence,
  openings: SignedRecord["openings"],
): Act["certificate"] {
  if (sha256 == null) return null;
  const said = (piece: string) => openings?.[`certificate.${piece}`]?.value ?? null;
  return {
    sha256,
    name: said("name"),
    cpf: said("cpf"),
    issuer: said("issuer"),
    isNamed: name === "same",
    isChecked: revocation?.status === "good",
  };
}

const signaturesOf = ({ record }: SignedText) => [
  { algorithm: "Ed25519", key_id: record.platform_key_id, signature: record.platform_signature },
  { algorithm: "ML-DSA-87", key_id: record.platform_pq_key_id, signature: record.platform_signature_pq },
];

/** evidence.json of a report: enough to check every signature and every hash of the chain offline. */
function evidenceFile(prepared: PreparedReport): object {
  return {
    ...signedTexts(prepared, printedOpenings),
    // Every participant gets the report: the sender alone sees the addresses of the others. A seal of the trail comes later than the event, and
    // would change the report of an envelope in which nothing happened.
    events: opened(prepared, prepared.events).map((event) => ({ ...event, address: null, sealed_by: null })),
  };
}

/**
 * evidence.json of a dossier, which its sender alone gets: every opening, events as `GET /audit` answers them with their openings, and the names of the files.
 * @param positions the place of each document
 * @param events from the first one on
 */
export function dossierEvidence(
  prepared: PreparedReport,
  positions: ReadonlyMap<string, number>,
  events: readonly PreparedEvent[],
): object {
  return {
    ...signedTexts(prepared, ({ openings }) => openings ?? {}),
    documents: prepared.documents.map(({ id, filename, sha256, final_sha256 }) => ({
      document_id: id,
      position: positions.get(id),
      filename,
      sha256,
      final_sha256,
    })),
    events: opened(prepared, events),
  };
}

/** Events with what opens the names and addresses of people who took the place of others. */
const opened = ({ hands }: PreparedReport, events: readonly PreparedEvent[]): readonly PreparedEvent[] =>
  events.map((event) => {
    const { openings = {} } = hands.find(({ seq }) => seq === event.seq) ?? {};
    return Object.keys(openings).length === 0 ? event : { ...event, openings };
  });

/** What the keys of the platform signed. */
function signedTexts(
  { completion, tenant_id, environment, envelope, platform_keys, records, participants }: PreparedReport,
  openingsOf: (record: SignedRecord) => Readonly<Record<string, Opening>>,
): object {
  return {
    ...(completion === null
      ? { envelope: { tenant_id, environment, envelope_id: envelope.id } }
      : { payload: completion.signed, signatures: signaturesOf(completion) }),
    keys: platform_keys,
    records: records.map((record) => {
      const erasedAt = participants.find(({ id }) => id === record.record.participant_id)?.erased_at ?? null;
      return {
        payload: record.signed,
        signatures: signaturesOf(record),
        openings: openingsOf(record),
        ...(erasedAt === null ? {} : { erased_at: erasedAt.utc }),
      };
    }),
  };
}

/** Names, e-mail addresses and what certificates say are printed: the attachment opens their commitments. */
const printedOpenings = ({ openings }: SignedRecord): Readonly<Record<string, Opening>> =>
  Object.fromEntries(
    ["name", "email", "certificate.name", "certificate.cpf", "certificate.issuer"].flatMap((name) => {
      const opening = openings?.[name];
      return opening === undefined ? [] : [[name, opening]];
    }),
  );
