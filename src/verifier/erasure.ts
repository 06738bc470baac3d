import { attachmentsOf, type NamedAttachment } from "./attachments.ts";
import { certificatesOf, type NamedCertificates } from "./dossier-certificates.ts";
import { eventsOf } from "./envelope-chain.ts";
import type { EnvelopeEvidence, SignedRecord } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";

/** The records of participants whose personal data were erased. */
export interface Erasures {
  /** An event that the seal covers says so. */
  readonly proved: ReadonlySet<SignedRecord>;
  /** The evidence says so, and nothing sealed does. */
  readonly said: ReadonlySet<SignedRecord>;
}

/** The event by which the personal data of one participant were erased. */
const ERASED = "envelope.participant_erased";

/**
 * Whose personal data were erased. Whoever writes a chain anew can add an event to its end, so only those that a seal covers prove anything.
 * @param sealed how many events a seal covers
 */
export function erasuresOf(evidence: EnvelopeEvidence, sealed: number): Erasures {
  const events = (evidence.events ?? []).slice(0, sealed);
  const erased = new Set(
    eventsOf({ events }, [ERASED]).map(({ details }) => (isObject(details) ? details["participant_id"] : null)),
  );
  const records = evidence.records ?? [];
  const proved = new Set(records.filter((record) => erased.has(record.evidence.members["participant_id"] ?? null)));
  return { proved, said: new Set(records.filter((record) => record.isErased && !proved.has(record))) };
}

/** What records say of files in a dossier. */
export interface NamedFiles {
  readonly certificates: NamedCertificates;
  /** Null where it cannot be read. */
  readonly attachments: readonly NamedAttachment[] | null;
}

/** The files that a dossier has: those of erased participants are left out. */
export function namedFiles(evidence: EnvelopeEvidence, { proved, said }: Erasures): NamedFiles {
  const left = (evidence.records ?? []).filter((record) => !proved.has(record) && !said.has(record));
  // What the records of the others say has to be readable all the same.
  const attachments = attachmentsOf(evidence.records) === null ? null : attachmentsOf(left);
  return { certificates: certificatesOf(left), attachments };
}

/** Whether these records name any file of a dossier. */
export function areFilesOf(records: ReadonlySet<SignedRecord>): boolean {
  const { certificates, answers } = certificatesOf([...records]);
  return certificates.length > 0 || answers.size > 0 || attachmentsOf([...records])?.length !== 0;
}

/** Whether a record commits to personal data, and opens none. */
export const opensNothing = ({ evidence: { members }, openings }: SignedRecord): boolean =>
  Object.keys(openings).length === 0 &&
  isObject(members["commitments"]) &&
  Object.keys(members["commitments"]).length > 0;
