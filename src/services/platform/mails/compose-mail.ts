import { z } from "zod";
import { isOneAddress, type MailMessage } from "../../../adapters/mail/mail-sender.ts";
import type { Config, SiteOperator } from "../../../config/config.ts";
import type { Environment } from "../../../postgres/jobs.ts";
import {
  type MailFact,
  type MailFacts,
  type MailKind,
  type MailLanguage,
  type MailParts,
  type MailText,
  type MailWords,
  mailInstant,
} from "../../../surfaces/mail/mail-kind.ts";
import { MARK_CID, type MailContent, type MailLink, mailHtml, mailText } from "./layout.ts";
import { mailClock, mailTime } from "./mail-time.ts";
import { MARK_PNG } from "./mark.ts";

/** A row of platform.mails as jobs.read_mail returns it. platform.send_mail adds some members to the data of every mail. */
const mailRow = z.object({
  recipient: z.string(),
  language: z.string(),
  created_at: mailInstant,
  kind: z.string(),
  data: z.looseObject({
    organization: z.string(),
    time_zone: z.string(),
    /** Of the organization. Mails from before it was kept have none. */
    contact: z.string().nullish(),
    environment: z.enum(["live", "test"]),
    at: mailInstant,
  }),
});

/** A mail, and what of it programs look for. */
export interface ComposedMail extends MailMessage {
  /** The address that lets the recipient act; null in a mail without one. */
  readonly link: string | null;
  /** The code that the recipient types; null in a mail without one. */
  readonly code: string | null;
}

/** What mails say about the deployment that sends them: its public address, and who runs it. */
export type MailSite = Pick<Config, "publicUrl" | "operator">;

export interface MailContext {
  /** Id of the mail's row. The Message-ID is made from it, so receivers recognise a mail that is sent twice. */
  readonly id: string;
  readonly site: MailSite;
  /** The mails of all services. */
  readonly kinds: Readonly<Record<string, MailKind>>;
  /** What {@link prepareMail} answered for the row; nothing by default. */
  readonly prepared?: object;
}

/** Why a mail was given up whose kind prepared nothing for it. */
export const OUT_OF_DATE = "out of date";

/**
 * The step before a mail is composed: asks the kind of the row for what no row may hold.
 * @param given the row as SQL returns it
 * @returns null for a mail that is out of date
 * @throws Error for a kind that no service has, and for a row that does not match its kind
 */
export async function prepareMail(
  given: unknown,
  { place, kinds, ...parts }: MailParts & Pick<MailContext, "kinds"> & { readonly place: Environment },
): Promise<object | null> {
  const row = mailRow.parse(given);
  const kind = kindOf(row, kinds);
  return kind.prepare === undefined ? {} : kind.prepare(kind.data.parse(row.data) as never, place, parts);
}

function kindOf(row: z.output<typeof mailRow>, kinds: MailContext["kinds"]): MailKind {
  const kind = kinds[row.kind];
  if (kind === undefined) throw new Error(`there is no mail of kind ${row.kind}`);
  return kind;
}

/** What words of a row are made from. */
export function readMail(
  given: unknown,
  kinds: MailContext["kinds"],
  prepared: object,
): {
  readonly row: z.output<typeof mailRow>;
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly facts: MailFacts;
  readonly data: object;
} {
  const row = mailRow.parse(given);
  const kind = kindOf(row, kinds);
  const language: MailLanguage = /^pt(-|$)/i.test(row.language) ? "pt-BR" : "en";
  const { environment, at, time_zone } = row.data;
  const organization = oneLine(row.data.organization);
  const local = (time: Date) => mailTime(time, language, time_zone);
  const clock = (time: Date) => mailClock(time, language, time_zone);
  const common = commonWords[language];
  const where = [common.where, `${organization}, ${common.environments[environment]}`] as const;
  const facts = { organization, environment, at: local(at), local, clock, where };
  return { row, kind, language, facts, data: { ...(kind.data.parse(row.data) as object), ...prepared } };
}

/**
 * Composes the mail of a row, as text and as HTML, in Portuguese for every language pt… and in English for all others.
 * The same row, prepared alike, always makes the same mail.
 * @param given the row as SQL returns it
 * @throws Error for a kind that no service has, for a row that does not match its kind, and for a kind that names a link which its
 * mail does not have
 */
export function composeMail(given: unknown, { id, site, kinds, prepared = {} }: MailContext): ComposedMail {
  const { row, kind, language, facts, data } = readMail(given, kinds, prepared);
  const { organization, environment } = facts;
  const common = commonWords[language];
  const words = kind.words(data as never, facts, language);
  const isTest = environment === "test";
  const contact = row.data.contact ?? null;
  // An address that could end a header was refused when the organization got it.
  const replyTo = words.isByOrganization === true && contact !== null && isOneAddress(contact) ? contact : null;
  const content: MailContent = {
    language,
    // A code stays first, where lists of mails and telephones show it.
    subject: oneLine(
      isTest
        ? (words.code === undefined ? [common.testSubject, words.subject] : [words.subject, common.testSubject]).join(
            " ",
          )
        : words.subject,
    ),
    preheader: oneLine(words.preheader),
    testNotice: isTest ? common.testNotice : null,
    heading: oneLine(words.heading),
    lead: words.lead.map(lineOf),
    facts: words.facts.map(factOf),
    people: (words.people ?? []).map(([name, deed]) => [oneLine(name), oneLine(deed)]),
    code: words.code ?? null,
    quote:
      words.quote === undefined || oneLine(words.quote.text) === ""
        ? null
        : { text: oneLine(words.quote.text), by: oneLine(words.quote.by) },
    button:
      words.button === undefined
        ? null
        : { label: oneLine(words.button.label), href: `${site.publicUrl}${words.button.path}` },
    remarks: (typeof words.note === "string" ? [words.note] : words.note).map(lineOf),
    details: (words.details ?? []).map(factOf),
    warning: words.warning === undefined ? null : warningOf(words.warning, site.operator),
    footer: {
      reason: oneLine(
        // A signer's own question comes first.
        words.isByOrganization === true
          ? `${common.replies(organization, replyTo)} ${words.reason ?? common.reason(organization)}`
          : `${words.reason ?? common.reason(organization)} ${common.noReplies}`,
      ),
      operator: operatorLine(site.operator),
      links: footerLinks(site, language),
    },
  };
  const text = mailText(content);
  const link = words.link === undefined ? null : `${site.publicUrl}${words.link}`;
  if (link !== null && !text.includes(link)) throw new Error(`the mail of kind ${row.kind} lacks its link`);
  return {
    messageId: `${id}@${new URL(site.publicUrl).hostname}`,
    date: row.created_at,
    recipient: row.recipient,
    senderName: words.isByOrganization === true ? common.sender(organization) : null,
    replyTo,
    language,
    subject: content.subject,
    text,
    html: mailHtml(content),
    images: [{ cid: MARK_CID, name: "selo.png", type: "image/png", content: MARK_PNG }],
    link,
    code: content.code,
  };
}

const factOf = ([label, value]: MailFact): MailFact => [oneLine(label), lineOf(value)];

/** Each part on one line; the blanks between parts stay. */
const lineOf = (text: MailText): MailText =>
  typeof text === "string"
    ? oneLine(text)
    : text.map((part) => (typeof part === "string" ? joinedLines(part) : { strong: oneLine(part.strong) }));

function warningOf(
  { text, contact }: NonNullable<MailWords["warning"]>,
  operator: SiteOperator,
): MailContent["warning"] {
  const link = contact === undefined || operator.contact === null ? null : { label: contact, href: operator.contact };
  return { text: lineOf(text), link };
}

function operatorLine({ name, details }: SiteOperator): string | null {
  const said = [name, details].filter((part) => part !== null);
  return said.length === 0 ? null : `${said.join(", ")}.`;
}

function footerLinks({ publicUrl, operator }: MailSite, language: MailLanguage): MailLink[] {
  const { deployment, contact, privacy } = commonWords[language];
  const links = [
    { label: deployment(new URL(publicUrl).host), href: publicUrl },
    { label: contact, href: operator.contact },
    { label: privacy, href: operator.privacy },
  ];
  return links.flatMap(({ label, href }) => (href === null ? [] : [{ label, href }]));
}

/** The words that all mails share. */
const commonWords = {
  en: {
    where: "Organization and environment",
    environments: { live: "live", test: "test" },
    testSubject: "[test]",
    testNotice: "This is a test: nothing changed in live.",
    reason: (organization: string) =>
      `You get this mail because ${organization} gave Selo your address as its contact.`,
    noReplies: "Nobody reads replies to this mail.",
    sender: (organization: string) => `${organization}, via Selo`,
    replies: (organization: string, address: string | null) =>
      address === null
        ? `A question about the document? Ask ${organization} in another way: nobody reads replies to this mail.`
        : `A question about the document? Reply to this mail: the reply goes to ${address}.`,
    deployment: (host: string) => `Selo at ${host}`,
    contact: "Contact",
    privacy: "Privacy",
  },
  "pt-BR": {
    where: "Organização e ambiente",
    environments: { live: "produção", test: "teste" },
    testSubject: "[teste]",
    testNotice: "É um teste: nada mudou em produção.",
    reason: (organization: string) =>
      `Você recebe este e-mail porque ${organization} informou o seu endereço como contato no Selo.`,
    noReplies: "Ninguém lê as respostas a este e-mail.",
    sender: (organization: string) => `${organization}, via Selo`,
    replies: (organization: string, address: string | null) =>
      address === null
        ? `Dúvida sobre o documento? Fale com ${organization} por outro meio: ninguém lê as respostas a este e-mail.`
        : `Dúvida sobre o documento? Responda a este e-mail: a resposta vai para ${address}.`,
    deployment: (host: string) => `Selo em ${host}`,
    contact: "Contato",
    privacy: "Privacidade",
  },
} as const satisfies Record<MailLanguage, object>;

/**
 * Puts text on one line, in one writing direction. Names that others chose stand in it, and can then neither look like a line of ours
 * nor reverse ours.
 */
const oneLine = (text: string): string => joinedLines(text).trim();

const joinedLines = (text: string): string =>
  text.replace(/\p{Bidi_Control}/gu, "").replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
