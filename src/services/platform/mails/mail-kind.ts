import { z } from "zod";

export type MailLanguage = "en" | "pt-BR";

/** The words of a mail: what happened, facts as pairs, what to do. */
export interface MailWords {
  readonly subject: string;
  readonly lead: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly closing: string;
}

/** Facts for every mail. platform.mail_contact adds them to the data of a mail. */
export interface MailFacts {
  /** The organization's name, on one line. */
  readonly organization: string;
  readonly environment: "live" | "test";
  /** When it happened, in the organization's language and time zone. */
  readonly at: string;
  /** Formats a time in the organization's language and time zone. */
  readonly local: (time: Date) => string;
}

/** A kind of mail. Rows of platform.mails name the kind. */
export interface MailKind<Data = never> {
  /** The shape of the kind's own data, beside the facts of every mail. */
  readonly data: z.ZodType;
  readonly words: (data: Data, facts: MailFacts, language: MailLanguage) => MailWords;
}

/** A time in the data of a mail. */
export const mailInstant = z.string().transform((text) => new Date(text));

/** Ties the words of a mail to the type of the mail's data. */
export function mailKind<Schema extends z.ZodType>(data: Schema, words: MailKind<z.output<Schema>>["words"]): MailKind {
  return { data, words };
}

/** Puts text of others on one line, in one writing direction, so that it can neither look like a line of ours nor reverse ours. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

export const environmentInPortuguese = (environment: string) =>
  environment === "test" ? "teste (test)" : "produção (live)";
