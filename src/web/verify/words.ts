import type { CheckName } from "../../verifier/verify-with.ts";
import type { PageReason } from "./assess.ts";
import type { Kind } from "./kinds.ts";
import type { Notice } from "./use-verification.ts";

/** The words of a verdict. Places such as `{file}` are filled with the facts. */
export interface VerdictWords {
  /** In a word or two. */
  readonly state: string;
  /** In a sentence. */
  readonly sentence: string;
  /** What follows from it. */
  readonly lead: string;
  /** For the title of the document, where it says more than `state`. */
  readonly title?: string;
}

/** Members of evidence that the page has words for. */
export type Member =
  | "registered_at"
  | "organization"
  | "label"
  | "file_name"
  | "file_size"
  | "sha256"
  | "verification_code"
  | "keys"
  | "signatures"
  | "other";

/** The words of the verify page. */
export interface VerifyWords {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly or: string;
  /** Instead of everything that needs a script. */
  readonly noScript: { readonly heading: string; readonly text: string };
  readonly progress: {
    readonly lookingUp: string;
    readonly code: string;
    readonly file: string;
    readonly reading: string;
    readonly readingSentence: string;
    readonly readingDossier: string;
    readonly hashing: string;
    readonly cancel: string;
  };
  readonly verdicts: Readonly<Record<Kind, VerdictWords>>;
  readonly facts: {
    /** In place of a file whose name the public record leaves out. */
    readonly aFile: string;
    /** In place of an organization that cannot be read. */
    readonly anOrganization: string;
    readonly receipt: string;
    readonly evidenceFile: string;
  };
  /** Sentences that stand in a verdict under conditions. */
  readonly also: {
    readonly ownName: string;
    readonly pagesNotChecked: string;
    /** Leads about another file: the proof is in order; only the record says so; nothing says so yet. */
    readonly inOrder: string;
    readonly onRecord: string;
    readonly notConfirmed: string;
    readonly saved: string;
    /** What was altered, by the one member that differs, by several, or without a record to compare with. */
    readonly one: Readonly<Record<Member, string>>;
    readonly several: string;
    readonly noRecord: string;
    readonly recordHolds: string;
    readonly serviceSilent: string;
    readonly checkedAt: string;
  };
  readonly notices: Readonly<Record<Notice, string>>;
  readonly actions: {
    readonly print: string;
    readonly copy: string;
    readonly copied: string;
    readonly byHand: string;
    readonly chooseOther: string;
    readonly searchFile: string;
    readonly byCode: string;
    readonly thisReceipt: string;
    readonly retry: string;
    readonly retryIn: string;
    readonly otherCode: string;
    readonly remove: string;
  };
  readonly testBar: string;
  readonly limits: {
    readonly heading: string;
    readonly list: readonly string[];
    readonly testHeading: string;
    readonly testText: string;
  };
  readonly share: { readonly heading: string; readonly text: string };
  readonly inputs: {
    readonly heading: string;
    readonly code: string;
    readonly dropFirst: string;
    readonly dropYours: string;
    readonly dropOther: string;
    readonly privacyFirst: string;
    readonly privacy: string;
    readonly choose: string;
  };
  /** What a file came to, in a word. */
  readonly results: {
    readonly ok: string;
    readonly bad: string;
    readonly info: string;
    readonly altered: string;
    readonly test: string;
    readonly notOnRecord: string;
    readonly unread: string;
    /** In place of ok and bad beside the word signatures, which are several. */
    readonly ofSignatures: { readonly ok: string; readonly bad: string };
  };
  readonly compare: {
    readonly heading: string;
    readonly fact: string;
    readonly claimed: string;
    readonly recorded: string;
    readonly differs: string;
  };
  readonly checks: {
    readonly heading: string;
    readonly groups: Readonly<Record<"file" | "signatures" | "record", string>>;
    readonly summaries: Readonly<
      Record<
        | "fileMatches"
        | "fileDiffers"
        | "noFile"
        | "bothTrusted"
        | "bothPublished"
        | "test"
        | "malformed"
        | "notOfThis"
        | "otherKeys"
        | "needFile"
        | "needName"
        | "whoseKeys"
        | "testOrLive"
        | "recordEqual"
        | "recordExists"
        | "recordDiffers"
        | "recordAtFault"
        | "otherCode"
        | "noRecord"
        | "unreachable",
        string
      >
    >;
    readonly reasons: Readonly<Record<PageReason, string>>;
    /** What the line of a signature says where the line before has the reason for both. */
    readonly ofSignature: Readonly<Record<"members_missing" | "name_or_size_differs" | "signatures_missing", string>>;
    /** The names of signatures, before the reason. */
    readonly names: Readonly<Partial<Record<CheckName, string>>>;
    readonly yours: string;
    readonly registered: string;
    readonly nameAndSize: string;
    readonly differing: string;
  };
  readonly details: {
    readonly sealed: string;
    readonly claimed: string;
    readonly unverified: string;
    readonly test: string;
    readonly yourFile: string;
    readonly organization: string;
    readonly label: string;
    readonly noLabel: string;
    readonly fileName: string;
    readonly fileSize: string;
    readonly bytes: string;
    readonly registeredAt: string;
    readonly digest: string;
    readonly code: string;
    readonly keys: string;
    readonly published: string;
    readonly trusted: string;
    readonly unconfirmed: string;
    readonly compareKeys: string;
  };
  /** Members of evidence in the middle of a sentence. */
  readonly members: Readonly<Record<Member, string>>;
  readonly naming: {
    readonly label: string;
    readonly hint: string;
    readonly submit: string;
    readonly stillDiffers: string;
  };
  readonly keys: {
    readonly heading: string;
    readonly why: string;
    readonly published: string;
    readonly used: string;
    readonly trusted: string;
    readonly test: string;
    readonly live: string;
    readonly none: string;
    readonly remember: string;
    readonly remembered: string;
    readonly notRemembered: string;
    readonly forget: string;
    readonly paste: string;
    readonly pasteHint: string;
    readonly use: string;
    readonly unreadable: string;
    readonly pasted: string;
    readonly removePasted: string;
  };
  readonly offline: {
    readonly heading: string;
    readonly text: string;
    readonly evidence: string;
    readonly keys: string;
    readonly verifier: string;
    readonly command: string;
  };
}
