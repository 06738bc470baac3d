/** What the dossier of an envelope is made from. */

import { attachmentName } from "../../../verifier/attachments.ts";
import type { KeptReport } from "../envelopes/kept-report.ts";
import type { PreparedEvent, PreparedReport } from "../envelopes/prepared-report.ts";

/** The answer of SQL, see signature.dossier_of. */
export interface PreparedDossier {
  readonly report: PreparedReport;
  /** What the report is made from, in hexadecimal. */
  readonly report_basis: string;
  /** The report, if it is kept. */
  readonly kept_report: KeptReport | null;
  readonly ended_at: string;
  readonly files: readonly {
    readonly document_id: string;
    readonly position: number;
    readonly object_id: string;
    readonly size: number;
    readonly final_object_id: string | null;
    readonly final_size: number | null;
  }[];
  /** Files that participants delivered. */
  readonly attachments: readonly {
    readonly field_id: string;
    readonly object_id: string;
    readonly size: number;
    readonly sha256: string;
    readonly type: string;
  }[];
  readonly certificates: readonly UsedCertificates[];
  /** Openings of the commitments of events, by their seq; an event whose personal data was erased has none. */
  readonly event_openings: Readonly<Record<string, object>>;
  /** The answer of `GET /public/platform-key`, as a text. */
  readonly platform_keys: string;
  /** Null until an audit seal covers the end of the envelope. */
  readonly sealed: SealedHead | null;
}

/** The certificates of a participant, as SQL answers them: in the order of the records. */
export interface UsedCertificates {
  readonly participant_id: string;
  /** DER in base64, the participant's first. */
  readonly path: readonly string[];
  readonly revocation_object_id: string | null;
}

/** The newest sealed head of the chain, with the first seal that covers it. */
interface SealedHead {
  /** As `GET /public/audit-seals` answers it. */
  readonly seal: object;
  readonly leaf: { readonly seq: number; readonly hash: string };
  /** From the head to the root of the organization, and from there to the root of the seal. */
  readonly organization_path: MerklePath;
  readonly seal_path: MerklePath;
  /** Events after those of the report, up to the head. */
  readonly later_events: readonly PreparedEvent[];
}

/** An inclusion proof (RFC 9162 §2.1.3), in hexadecimal. */
interface MerklePath {
  readonly index: number;
  readonly size: number;
  readonly hashes: readonly string[];
}

/** A stored file of a dossier. */
export interface DossierFile {
  readonly name: string;
  readonly objectId: string;
  readonly size: number;
  readonly sha256: string;
  /** Where it begins in the object, which has others beside it; without, it is the whole object. */
  readonly from?: number;
}

/** The originals and, once completed, the final documents. */
export function storedFiles({ files, report }: PreparedDossier): DossierFile[] {
  const digests = new Map(report.documents.map((document) => [document.id, document]));
  return (["originals", "final"] as const).flatMap((folder) =>
    files.flatMap((file) => {
      const isFinal = folder === "final";
      const digest = digests.get(file.document_id);
      const sha256 = (isFinal ? digest?.final_sha256 : digest?.sha256) ?? null;
      const [objectId, size] = isFinal ? [file.final_object_id, file.final_size] : [file.object_id, file.size];
      if (sha256 === null || objectId === null || size === null) return [];
      return [{ name: `${folder}/${file.position}-${file.document_id}.pdf`, objectId, size, sha256 }];
    }),
  );
}

/** The files that participants delivered, as they delivered them. */
export const attachmentFiles = ({ attachments }: PreparedDossier): DossierFile[] =>
  attachments.map(({ field_id, object_id: objectId, size, sha256, type }) => ({
    name: attachmentName(field_id, type),
    objectId,
    size,
    sha256,
  }));

/**
 * The events of evidence.json, with their openings. With seal.json they end with the sealed head: whoever checks has all events that its hash covers, and no event that
 * nothing covers. Without, they end with the report.
 */
export function eventsOf({ report, sealed, event_openings }: PreparedDossier): readonly PreparedEvent[] {
  const events =
    sealed === null
      ? report.events
      : [...report.events, ...sealed.later_events].filter(({ seq }) => seq <= sealed.leaf.seq);
  return events.map((event) => {
    const openings = event_openings[event.seq];
    return openings === undefined ? event : { ...event, openings };
  });
}

/** The members of seal.json. The last two are for what comes to witness seals. */
export const sealFile = ({ seal, leaf, organization_path, seal_path }: SealedHead): object => ({
  seal,
  leaf,
  organization_path,
  seal_path,
  dated: null,
  witnessed: null,
});
