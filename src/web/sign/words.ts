import type { Step } from "./place.ts";
import type { ReaderWords } from "./reader/words.ts";

/** The roles that words are made for. */
export type Role = "signatario" | "aprovador" | "testemunha" | "observador";

/** Pages that stand in place of the steps: nothing can be signed there and then. */
export type FaultName =
  | "link"
  | "other_tab"
  | "replaced"
  | "locked"
  | "unconfirmed"
  | "not_yet"
  | "expired"
  | "cancelled"
  | "declined"
  | "failed"
  | "done"
  | "declined_by_you"
  | "copies_over"
  | "browser"
  | "no_network"
  | "rate_limited"
  | "unavailable";

/** What is said beside the button that did not work, or above a step that was not expected. */
export type NoticeName =
  | "no_network"
  | "rate_limited"
  | "codes_sent"
  /** All SMS of a day, of which a new link brings no more. */
  | "sms_sent"
  | "unavailable"
  | "session_expired"
  | "session_over"
  | "consent_changed"
  | "declining";

interface FaultWords {
  readonly heading: string;
  /** Each a paragraph. Places: `{organization}`, `{sent_to}`, `{sender}`. */
  readonly text: readonly string[];
  /** What can be done, each by itself. */
  readonly ways?: readonly string[];
}

/** The words of the signing page. Places such as `{organization}` are filled with facts. */
export interface SignWords {
  readonly title: string;
  readonly description: string;
  readonly opening: string;
  /** Who sent the request, within a sentence. An address in brackets may follow. */
  readonly sender: string;
  readonly noScript: { readonly heading: string; readonly text: string };
  readonly testHeading: string;
  readonly testText: string;
  readonly testTitle: string;
  readonly skip: string;
  readonly decline: string;
  readonly actions: string;
  /** Names of the steps, and how far one is: `{step}`, `{of}`. */
  readonly steps: Readonly<Record<Step, string>>;
  readonly progress: string;
  readonly request: {
    readonly heading: Readonly<Record<Role, string>>;
    readonly headingOfCopies: string;
    readonly document: string;
    readonly messageBy: string;
    readonly to: string;
    readonly notMe: string;
    readonly notMeText: string;
    /** Where the turn can be passed on. */
    readonly handOn: string;
    readonly handOnText: string;
    readonly handOnCode: string;
    readonly safe: string;
    /** Where the participant signs with a certificate, whose password this page takes. */
    readonly safeWithCertificate: string;
    readonly copiesText: string;
    readonly copiesTextOfSms: string;
    readonly getCode: string;
    readonly goOn: string;
    readonly privacy: string;
    readonly terms: string;
    readonly operatedBy: string;
  };
  readonly code: {
    readonly heading: string;
    readonly goesTo: string;
    readonly sent: string;
    readonly label: string;
    readonly goodUntil: string;
    readonly wrong: string;
    readonly wrongOne: string;
    readonly usedUp: string;
    readonly malformed: string;
    readonly notReceived: string;
    readonly notReceivedText: string;
    readonly submit: string;
    readonly another: string;
    readonly anotherIn: string;
    /** What is said instead where the code comes by SMS. */
    readonly sms: {
      readonly heading: string;
      readonly goesTo: string;
      readonly sent: string;
      readonly nobodyAsks: string;
      readonly notReceived: string;
      readonly notReceivedText: string;
      readonly another: string;
      readonly anotherIn: string;
    };
  };
  readonly read: {
    readonly heading: string;
    readonly several: string;
    readonly toTheEnd: string;
    readonly done: string;
    readonly notYet: string;
    readonly onlyRead: string;
    readonly fieldsFollow: string;
    readonly fieldsFollowOne: string;
  };
  readonly fields: {
    readonly heading: string;
    readonly refused: string;
    /** With `{most}`. */
    readonly tooLong: string;
    readonly notCalculated: string;
  };
  readonly act: {
    readonly heading: Readonly<Record<Role, string>>;
    readonly agreement: string;
    readonly readAll: string;
    readonly showLess: string;
    readonly agree: string;
    readonly version: string;
    readonly disagree: string;
    readonly signature: string;
    readonly noSignature: string;
    readonly recorded: string;
    readonly submit: Readonly<Record<Role, string>>;
    readonly busy: string;
    readonly signatureRefused: string;
  };
  readonly done: {
    readonly heading: Readonly<Record<Role, string>>;
    readonly sentence: Readonly<Record<Role, string>>;
    readonly sentenceWithoutTitle: string;
    readonly copyHeading: string;
    readonly copyText: string;
    /** Where nobody else acts. */
    readonly copyTextOfOne: string;
    readonly recorded: string;
    readonly how: string;
    readonly howText: string;
    readonly howTextOfSms: string;
    readonly agreement: string;
    readonly code: string;
    readonly documents: string;
    readonly fingerprint: string;
    readonly download: string;
    readonly downloadOne: string;
    readonly downloadFailed: string;
    readonly forgotten: string;
    readonly verify: string;
  };
  readonly copies: {
    readonly heading: string;
    readonly text: string;
    readonly report: string;
    /** The name under which the report is saved. */
    readonly reportFile: string;
    readonly verify: string;
  };
  readonly declining: {
    readonly heading: string;
    readonly text: string;
    /** Where nobody else acts. */
    readonly textOfOne: string;
    readonly label: string;
    readonly missing: string;
    readonly hint: string;
    readonly signInFirst: string;
    readonly cancel: string;
    readonly submit: string;
    readonly getCode: string;
  };
  readonly declined: FaultWords;
  readonly declinedOfOne: FaultWords;
  /** After a reload, when nothing of the envelope is known any more. */
  readonly declinedBefore: FaultWords;
  readonly faults: Readonly<Record<FaultName, FaultWords>>;
  /** Above the ways of a fault. */
  readonly whatNow: string;
  readonly retry: string;
  readonly retryIn: string;
  readonly lookAgain: string;
  readonly otherTab: {
    /** Before the title of that tab. */
    readonly look: string;
    readonly onPhone: string;
    readonly kept: string;
    readonly hint: string;
  };
  readonly newLink: {
    readonly submit: string;
    readonly hint: string;
    /** On the page about a replaced link. */
    readonly hintOfReplaced: string;
    readonly heading: string;
    readonly text: string;
  };
  readonly notices: Readonly<Record<NoticeName, string>>;
  readonly requestId: string;
  readonly phone: {
    readonly open: string;
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly close: string;
  };
  /** Of the documents, their fields and the signature. */
  readonly reader: ReaderWords;
}
