import { z } from "zod";
import type { MasterKeyring } from "../../adapters/crypto/master-keyring.ts";
import type { Environment, Jobs } from "../../postgres/jobs.ts";

export type MailLanguage = "en" | "pt-BR";

/** Words in strong letters. */
interface Strong {
  readonly strong: string;
}

/** A text on one line: a plain one, or its parts in their order, some of them in strong letters. */
export type MailText = string | readonly (string | Strong)[];

/** What a reader looks for: who, what, until when. */
export const strong = (text: string): Strong => ({ strong: text });

/** A label, and what stands below it. */
export type MailFact = readonly [label: string, value: MailText];

/**
 * The words of a mail, as plain text: what happened, to what, when, and what to do next. composeMail escapes them, and puts each on
 * one line, because they contain names that others chose.
 */
export interface MailWords {
  readonly subject: string;
  /** What a list of mails shows after the subject: the consequence, and not the subject again. */
  readonly preheader: string;
  readonly heading: string;
  /** Paragraphs: what happened to what and when; what follows from it. */
  readonly lead: readonly MailText[];
  readonly facts: readonly MailFact[];
  /** Who acted, and below each name what was done when. */
  readonly people?: readonly (readonly [name: string, deed: string])[];
  /** What somebody else wrote to the recipient, and who that was: stands apart from our words. */
  readonly quote?: { readonly text: string; readonly by: string };
  /** The one thing to do next. Absent where the recipient goes on elsewhere, such as on a page that is open. */
  readonly button?: {
    readonly label: string;
    /** A path of this deployment, such as `/guides/webhooks#repair`. */
    readonly path: string;
  };
  /** What the reader has to know before pressing the button: one paragraph, or several. */
  readonly note: string | readonly MailText[];
  /** What is looked up later, such as paths for programs: below the small paragraphs. */
  readonly details?: readonly MailFact[];
  /** The last word, in a box: what to beware of. `contact` names a link to who runs the deployment, where that has one. */
  readonly warning?: { readonly text: MailText; readonly contact?: string };
  /**
   * The organization writes by us: its name stands before ours as the sender's, and replies go to its contact. Absent: we write ourselves, and
   * nobody reads replies.
   */
  readonly isByOrganization?: true;
  /**
   * The path whose address lets the recipient act, such as a signing link; mostly that of the button. Programs get it from the test inbox.
   * Absent from mails that only inform.
   */
  readonly link?: string;
  /** The code that the recipient types, in large digits below the heading. Programs get it from the test inbox. */
  readonly code?: string;
  /** Why the recipient gets the mail, for its footer. Absent: as the contact of the organization. */
  readonly reason?: string;
}

/** The words of an SMS about the same, as plain text. composeSms makes one message of them. */
export interface SmsWords {
  /** The number, E.164. No row holds it: `prepare` opens it. */
  readonly to: string;
  /** The text around the organization's name, which is cut where the message would be too long. */
  readonly text: (organization: string) => string;
  /** The code that the recipient types: the last line has it again, for the telephone to propose it. */
  readonly code: string;
}

/** Facts for every mail. platform.send_mail adds them to the data of a mail. */
export interface MailFacts {
  /** The organization's name, on one line. */
  readonly organization: string;
  readonly environment: "live" | "test";
  /** When it happened, in the organization's language and time zone. */
  readonly at: string;
  /** Formats a time in the organization's language and time zone. */
  readonly local: (time: Date) => string;
  /** The same of a time within this hour: without the day. */
  readonly clock: (time: Date) => string;
  /** The fact that names organization and environment, for the end of the list of facts. */
  readonly where: readonly [string, string];
}

/** The objects that a mail's kind prepares the mail with. */
export interface MailParts {
  readonly jobs: Jobs;
  readonly masterKeys: MasterKeyring;
}

/**
 * Finds or makes what no row of platform.mails may hold, such as the secret of a link. It runs before each attempt, so it may run several
 * times for one mail, and answers the same each time.
 * @param place the organization and environment of the mail
 * @returns the members that the words get beside the data; null if the mail is out of date: it is then given up
 */
export type PrepareMail<Data, Prepared> = (
  data: Data,
  place: Environment,
  parts: MailParts,
) => Promise<Prepared | null>;

/** A kind of mail. Rows of platform.mails name the kind. */
export interface MailKind<Data = never> {
  /** The shape of the kind's own data, beside the facts of every mail. */
  readonly data: z.ZodType;
  /** Absent for a mail whose row has everything. */
  readonly prepare?: PrepareMail<never, object>;
  /** Of the data, and of the members that `prepare` adds. */
  readonly words: (data: Data, facts: MailFacts, language: MailLanguage) => MailWords;
  /** The same for a row that goes by SMS. Absent: the kind goes by mail alone. */
  readonly sms?: (data: Data, facts: MailFacts, language: MailLanguage) => SmsWords;
}

/** A time in the data of a mail. */
export const mailInstant = z.string().transform((text) => new Date(text));

/** Ties the words of a mail to the type of the mail's data. */
export function mailKind<Schema extends z.ZodType>(data: Schema, words: MailKind<z.output<Schema>>["words"]): MailKind {
  return { data, words };
}

/** The same for a mail that is prepared before it has words. */
export function preparedMailKind<Schema extends z.ZodType, Prepared extends object>(
  data: Schema,
  prepare: PrepareMail<z.output<Schema>, Prepared>,
  words: MailKind<z.output<Schema> & Prepared>["words"],
  sms?: MailKind<z.output<Schema> & Prepared>["sms"],
): MailKind {
  return { data, prepare, words, ...(sms === undefined ? {} : { sms }) };
}

/** Why an owner of an organization gets a mail of platform.mail_owners. */
export const ownerReason = (language: MailLanguage, organization: string): string =>
  language === "en"
    ? `You get this mail because you are an owner of ${organization} at Selo.`
    : `Você recebe este e-mail porque responde por ${organization} no Selo.`;

/** The end of a note in Portuguese whose button leads to a guide. The guides are written in English only. */
export const GUIDE_IS_ENGLISH = "O guia está em inglês.";
