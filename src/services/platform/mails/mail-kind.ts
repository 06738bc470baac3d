import { z } from "zod";

export type MailLanguage = "en" | "pt-BR";

/** A mail's words: what happened, the facts as pairs, what to do about it. */
export interface MailWords {
  readonly subject: string;
  readonly lead: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly closing: string;
}

/** What every mail is told: platform.mail_contact adds it to the data of a mail. */
export interface MailFacts {
  /** On one line. */
  readonly organization: string;
  readonly environment: "live" | "test";
  /** When it happened, as people of the organization write it. */
  readonly at: string;
  /** Writes a time as people of the organization do. */
  readonly local: (time: Date) => string;
}

/** A kind of mail, by the name that rows of platform.mails have. */
export interface MailKind<Data = never> {
  /** What the kind's own data are, beside what every mail has. */
  readonly data: z.ZodType;
  readonly words: (data: Data, facts: MailFacts, language: MailLanguage) => MailWords;
}

/** A time in the data of a mail. */
export const mailInstant = z.string().transform((text) => new Date(text));

/** Ties the words of a mail to the type of its data. */
export function mailKind<Schema extends z.ZodType>(data: Schema, words: MailKind<z.output<Schema>>["words"]): MailKind {
  return { data, words };
}

/** What somebody else wrote takes one line and goes one way: it can neither pretend to be a line of ours nor turn ours around. */
export function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

export const environmentInPortuguese = (environment: string) =>
  environment === "test" ? "teste (test)" : "produção (live)";
