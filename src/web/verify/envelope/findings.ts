import type { DossierFiles } from "../../../verifier/dossier.ts";
import type { EnvelopeEnd } from "../../../verifier/envelope-end.ts";
import type { EnvelopeEvidence } from "../../../verifier/envelope-evidence.ts";
import type { Evidence } from "../../../verifier/evidence.ts";
import type { PlatformKey } from "../../../verifier/keys.ts";
import type { EnvelopeVerification } from "../../../verifier/verify-envelope.ts";
import type { HashedFile, SignatureChecks } from "../../../verifier/verify-with.ts";

/** The service's answer, `GET /public/envelopes/{code}`. */
export interface PublicEnvelope {
  readonly organization: string;
  readonly status: string;
  readonly environment: string;
  readonly sent_at: string | null;
  readonly completed_at: string | null;
  readonly participants: readonly {
    readonly role: string;
    readonly status: string;
    readonly completed_at: string | null;
  }[];
  readonly documents: readonly { readonly sha256: string; readonly final_sha256: string | null }[];
  readonly valid: boolean | null;
}

/** The report of an envelope, or its dossier. */
export interface Report {
  readonly name: string;
  readonly evidence: EnvelopeEvidence;
  readonly isPdf: boolean;
  /** Of a dossier: its files, and the code that its sealed events say. */
  readonly files?: DossierFiles;
  readonly endCode?: string | null;
}

/** Everything that the checks of an envelope are computed from. */
export interface EnvelopeGiven {
  /** The service's answer, byte for byte; null without one. */
  readonly answer: string | null;
  /** True where the service knows no such envelope. */
  readonly isUnknown: boolean;
  readonly report: Report | null;
  readonly file: HashedFile | null;
  readonly published: readonly PlatformKey[] | null;
  readonly trusted: readonly PlatformKey[];
  readonly signatures: SignatureChecks;
}

/** What was found out about an envelope. */
export type EnvelopeKind =
  /** The file is a final document. */
  | "final"
  /** The file is a document as it was before it was signed. */
  | "original"
  /** All files of a dossier are those that were signed. */
  | "dossier"
  /** The same, without those of a participant whose personal data were erased, as a seal says. */
  | "dossier_erased"
  /** Files of a dossier are left out, and nothing sealed says yet that they were erased. */
  | "erasure_unsealed"
  /** Completed, without the file. */
  | "completed"
  | "report_alone"
  /** Nothing is signed in the report. */
  | "unsigned"
  | "open"
  | "declined"
  | "cancelled"
  | "expired"
  | "failed"
  /** It ended without a completion, and a seal covers all of it. */
  | "ended"
  /** Only the events that were handed over say that it ended. */
  | "ended_unsealed"
  | "test"
  | "different"
  | "at_fault"
  | "report_altered"
  /** The evidence of a dossier is in order, and its files are others. */
  | "dossier_altered"
  | "foreign_keys"
  | "other_code"
  | "keys_unknown"
  /** The keys may have followed those that the visitor trusts. */
  | "keys_older"
  | "no_record";

/** What the visitor's file is, or all files of a dossier. */
export type FileFinding =
  | "none"
  | "final"
  | "original"
  | "different"
  | "unknown"
  | "dossier"
  | "dossier_erased"
  | "erasure_unsealed"
  | "dossier_altered";

/** Who says that the keys are the service's. */
export type KeysOrigin = "trusted" | "published" | "older" | "unknown" | "foreign";

/** What the report is beside the service's record. A report from before the completion is `older`. */
export type ReportMatch = "equal" | "older" | "differs" | "unsigned";

export interface EnvelopeFindings {
  readonly kind: EnvelopeKind;
  readonly answer: PublicEnvelope | null;
  /** The signed completion, of the report or of the answer; null without one. */
  readonly completion: Evidence | null;
  /** The checks of the report and of the answer's signed record, as far as they are given. */
  readonly verifications: readonly EnvelopeVerification[];
  /** The checks of the report alone. */
  readonly report: EnvelopeVerification | null;
  /** The gravest of all keys; unknown where nothing is signed. */
  readonly keys: KeysOrigin;
  readonly file: FileFinding;
  /** Null without a report, and where the service has signed nothing to compare it with. */
  readonly match: ReportMatch | null;
  readonly isTest: boolean;
  /** The end without a completion, as the report's events say it. */
  readonly end: EnvelopeEnd | null;
  readonly code: string | null;
}
