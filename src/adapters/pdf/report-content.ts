import type { Paths } from "./draw-paths.ts";

/** An instant, with what a clock in the organization's time zone shows then. */
export interface Clock {
  /** 2026-11-20T12:34:56.123456Z. */
  readonly utc: string;
  /** The same without an offset, as that clock shows it. */
  readonly local: string;
  /** How far that zone is from UTC at that instant, such as -03:00. */
  readonly offset: string;
}

/** What somebody signed with; a role that draws nothing has none. */
export type GivenSignature = { readonly kind: "typed"; readonly text: string } | ({ readonly kind: "drawn" } & Paths);

/** What a participant did, as the signed record says it. */
export interface Act {
  readonly recordId: string;
  /** signed, approved or witnessed. */
  readonly action: string;
  readonly at: Clock;
  readonly authentication: readonly { readonly method: string; readonly at: Clock; readonly reference: string }[];
  readonly consent: { readonly version: string; readonly language: string; readonly sha256: string };
  readonly signature: GivenSignature | null;
  /** The certificate that the participant signed with; null for who signed without one. */
  readonly certificate: {
    /** Null once erased. */
    readonly name: string | null;
    /** Masked; null where it has none, and once erased. */
    readonly cpf: string | null;
    readonly issuer: string | null;
    /** Whether it has the name of the participant. */
    readonly isNamed: boolean;
    /** Whether its issuer said that it is not revoked. */
    readonly isChecked: boolean;
    /** SHA-256 of its DER. */
    readonly sha256: string;
  } | null;
  readonly keyIds: readonly [string, string];
}

export interface ReportParticipant {
  readonly id: string;
  /** Null once erased, as the address is. */
  readonly name: string | null;
  readonly email: string | null;
  readonly role: string;
  readonly modality: string;
  readonly status: string;
  readonly declineReason: string | null;
  /** When name, address, signature and values were erased; null for a participant who was not. */
  readonly erasedAt: Clock | null;
  readonly act: Act | null;
  /** Values that stand on no sealed document. */
  readonly values: readonly {
    readonly type: string;
    /** What the sender calls the field. */
    readonly label: string | null;
    /** Null once erased. */
    readonly value: string | boolean | null;
    readonly page: number;
    readonly fileName: string;
    /** Of a file that the participant delivered: SHA-256 in hexadecimal, and size in bytes. */
    readonly sha256?: string | null;
    readonly size?: number | null;
  }[];
}

/** An event of the envelope's chain. */
export interface Step {
  readonly seq: number;
  readonly at: Clock;
  readonly action: string;
  /** Who did it: a kind of actor, and the participant's id if it was a participant. */
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly details: Readonly<Record<string, unknown>>;
}

interface Person {
  /** Null once erased. */
  readonly name: string | null;
  readonly email: string | null;
}

/** The event by which another person came into the place of a participant. */
export interface Hand {
  readonly seq: number;
  readonly participantId: string;
  readonly before: Person;
  readonly after: Person;
}

/** The content of an evidence report. */
export interface ReportContent {
  readonly kind: "report";
  readonly language: "pt-BR" | "en";
  readonly isTest: boolean;
  /** Who runs the deployment; null for what is not to be shown. */
  readonly operator: { readonly name: string | null; readonly details: string | null };
  readonly organization: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly envelopeId: string;
  readonly title: string;
  readonly status: string;
  readonly verificationCode: string;
  readonly verifyUrl: string;
  readonly sentAt: Clock;
  readonly expiresAt: Clock;
  readonly completedAt: Clock | null;
  readonly documents: readonly {
    readonly id: string;
    readonly fileName: string;
    readonly pages: number;
    readonly sha256: string;
    readonly finalSha256: string | null;
  }[];
  readonly participants: readonly ReportParticipant[];
  /** The texts that participants agreed to; null for a text that is not known any more. */
  readonly consents: readonly {
    readonly version: string;
    readonly language: string;
    readonly sha256: string;
    readonly text: string | null;
  }[];
  readonly steps: readonly [Step, ...Step[]];
  /** In the order of time. */
  readonly hands: readonly Hand[];
  readonly headHash: string;
  /** The signatures of the completion, with the ids of their keys; null before the completion. */
  readonly completion: {
    readonly sha256: string;
    /** Whether the seal of each final document has a time stamp. */
    readonly hasTimeStamps: boolean;
    readonly signatures: readonly { readonly algorithm: string; readonly keyId: string; readonly sha256: string }[];
  } | null;
  /** The attachment evidence.json. */
  readonly evidence: Uint8Array;
}
