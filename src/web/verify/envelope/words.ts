import type { EnvelopeEnd } from "../../../verifier/envelope-end.ts";
import type { VerdictWords } from "../words.ts";
import type { EnvelopeKind, FileFinding, KeysOrigin } from "./findings.ts";

/** The words about envelopes. Places such as `{file}` are filled with the facts. */
export interface EnvelopeWords {
  readonly verdicts: Readonly<Record<EnvelopeKind, VerdictWords>>;
  readonly aFile: string;
  readonly thisReport: string;
  readonly thisDossier: string;
  /** How it ended without a completion, at the beginning of a sentence. */
  readonly endings: Readonly<Record<EnvelopeEnd["status"], string>>;
  /** How many participants have finished. */
  people(count: number): string;
  /** How many of how many have finished. */
  progress(done: number, all: number): string;
  readonly isOriginal: string;
  readonly testBar: string;
  readonly limits: {
    readonly heading: string;
    readonly list: readonly string[];
    readonly testHeading: string;
    readonly testText: string;
  };
  readonly inputs: {
    readonly dropReport: string;
    readonly dropDocument: string;
    readonly dropOther: string;
  };
  readonly share: { readonly heading: string; readonly text: string };
  readonly checks: {
    readonly file: Readonly<Record<FileFinding, string>>;
    readonly signatures: Readonly<Record<"good" | "bad" | "none" | KeysOrigin, string>>;
    readonly record: Readonly<
      Record<"good" | "equal" | "older" | "unsigned" | "bad" | "unknown" | "unreachable", string>
    >;
    /** What was compared, and came to be the same, is in part in the record, or is not the same. */
    readonly recordSame: string;
    readonly recordHolds: string;
    readonly recordDiffers: string;
    readonly sealed: string;
    readonly sealedUpTo: string;
    readonly sealBad: string;
    readonly evidence: string;
    readonly evidenceBad: string;
    readonly valid: string;
    readonly invalid: string;
    readonly open: string;
    readonly records: string;
    readonly recordsBad: string;
    readonly events: string;
    readonly eventsBad: string;
    readonly openings: string;
    readonly openingsBad: string;
    /** Of files that a dossier has no more. */
    readonly erased: string;
    readonly unsealed: string;
  };
  readonly details: {
    readonly heading: string;
    readonly organization: string;
    readonly status: string;
    readonly sentAt: string;
    readonly completedAt: string;
    /** Of evidence that says that the seals have time stamps. */
    readonly timeStamps: string;
    readonly stamped: string;
    readonly code: string;
    readonly participants: string;
    readonly documents: string;
    readonly original: string;
    readonly final: string;
    /** Beside a fact that no signature covers. */
    readonly unsigned: string;
    /** Where no signature covers any of the facts. */
    readonly noneSigned: string;
  };
  readonly statuses: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, string>>;
  /** By status, or by status and role where the role has another word for it. */
  readonly acts: Readonly<Record<string, string>>;
  readonly report: string;
  readonly names: {
    readonly heading: string;
    /** By a report without the document; and where the visitor's file is another one. */
    readonly ofReport: string;
    readonly ofOther: string;
    /** Where the names come from. */
    readonly text: string;
    readonly unnamed: string;
    /** In place of the name of a signer whose personal data were erased, and where only what was handed over says so. */
    readonly erased: string;
    readonly saidErased: string;
    /** Below the names that are there. */
    readonly someErased: string;
    /** Without a report. */
    readonly inReport: string;
    /** With a report from before the end. */
    readonly early: string;
    /** Of a report whose names may be a forger's. */
    readonly notVerified: string;
    readonly add: string;
    /** Below acts that only the service tells. */
    readonly unsigned: string;
    /** In the middle of a sentence. */
    readonly actions: Readonly<Record<string, string>>;
    /** By the name of the method in signature.auth_methods, or icp_brasil. */
    readonly methods: Readonly<Record<string, string>>;
    /** Between a method and the address. */
    readonly to: string;
    /** The time zone of all times. */
    times(zone: string): string;
    /** A signer, and how many more there are. */
    andMore(count: number): string;
    /** The group of checks. */
    readonly group: string;
    readonly needReport: string;
    readonly needNewer: string;
    readonly noneInReport: string;
    readonly wrongHidden: string;
    read(count: number): string;
  };
  readonly offline: { readonly text: string; readonly command: string };
}
