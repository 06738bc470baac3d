import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailKind,
  ownerReason,
} from "../../../surfaces/mail/mail-kind.ts";

const lost = z.object({
  zone_id: z.int(),
  name: z.string(),
  nameservers: z.array(z.string()).nullable(),
  /** What the public DNS shows now: the first ten. */
  observed: z.array(z.string()),
  /** Absent from mails to the contact of an organization. */
  to_owner: z.boolean().nullish(),
});

const taken = z.object({ zone_id: z.int(), name: z.string(), kept_days: z.int() });

interface LostFacts {
  readonly name: string;
  readonly assigned: string;
  /** Null for a domain without nameservers. */
  readonly now: string | null;
  readonly at: string;
  readonly where: readonly [string, string];
}

interface TakenFacts {
  readonly name: string;
  readonly id: string;
  readonly days: number;
  readonly at: string;
  readonly where: readonly [string, string];
}

const DELEGATION = "/guides/dns-delegation#when-it-is-checked";
const TAKEN = "/guides/dns-delegation#take-a-name-back";

const lostWords: Readonly<Record<MailLanguage, (zone: LostFacts) => MailWords>> = {
  en: ({ name, assigned, now, at, where }) => ({
    subject: `${name} no longer points to Selo`,
    preheader: "The records that you keep here may reach nobody. Check its nameservers.",
    heading: `${name} no longer points to Selo`,
    lead: [
      now === null
        ? `The public DNS shows no nameservers for ${name}.`
        : `The public DNS shows nameservers for ${name} that are not those of its zone here.`,
      "Selo continues to answer for the zone, and checks every five minutes. If you moved the domain on purpose, you need not do anything.",
    ],
    facts: [
      ["Domain", name],
      ["Nameservers of the zone", assigned],
      ["Nameservers now", now ?? "none"],
      ["Seen on", at],
      where,
    ],
    button: { label: "See how to point it back", path: DELEGATION },
    note: "To point it back, set these nameservers, and no others, at the registrar.",
  }),
  "pt-BR": ({ name, assigned, now, at, where }) => ({
    subject: `${name} deixou de apontar para o Selo`,
    preheader: "Os registros que você mantém aqui podem não valer mais. Confira os servidores DNS.",
    heading: `${name} deixou de apontar para o Selo`,
    lead: [
      now === null
        ? `O DNS público não mostra nenhum servidor para ${name}.`
        : `O DNS público mostra, para ${name}, servidores que não são os da zona no Selo.`,
      "O Selo continua respondendo pela zona e confere de novo a cada cinco minutos. Se você mudou o domínio de propósito, não precisa fazer nada.",
    ],
    facts: [
      ["Domínio", name],
      ["Servidores da zona", assigned],
      ["Servidores agora", now ?? "nenhum"],
      ["Percebido em", at],
      where,
    ],
    button: { label: "Ver como apontar de volta", path: DELEGATION },
    note: `Para voltar, informe só os servidores da zona no lugar onde o domínio foi registrado. ${GUIDE_IS_ENGLISH}`,
  }),
};

const takenWords: Readonly<Record<MailLanguage, (zone: TakenFacts) => MailWords>> = {
  en: ({ name, id, days, at, where }) => ({
    subject: `Another organization took ${name}`,
    preheader: `Your zone was never in use, and its records can be exported for ${days} days.`,
    heading: `Another organization took ${name}`,
    lead: [
      `Another organization proved with a record in the public DNS that it owns the domain. Your zone ${name} was not active: the domain did not point to it. So the name went to that organization.`,
      `Your zone is no longer served. You can export its records for ${days} days.`,
    ],
    facts: [["Domain", name], ["ID of the zone", id], ["Taken on", at], where],
    button: { label: "See how to export the records", path: TAKEN },
    note: "If the domain is yours, you can take it back in the same way: by a record where the domain is served now.",
  }),
  "pt-BR": ({ name, id, days, at, where }) => ({
    subject: `Outra organização ficou com ${name}`,
    preheader: `A sua zona não estava em uso, e os registros podem ser exportados por ${days} dias.`,
    heading: `Outra organização ficou com ${name}`,
    lead: [
      `Outra organização provou, com um registro no DNS público, que o domínio é dela. A sua zona ${name} não estava ativa, ou seja, o domínio não apontava para ela. Por isso, o nome passou para essa organização.`,
      `A sua zona não está mais no ar. Você pode exportar os registros dela por ${days} dias.`,
    ],
    facts: [["Domínio", name], ["ID da zona", id], ["Data", at], where],
    button: { label: "Ver como exportar os registros", path: TAKEN },
    note: `Se o domínio é seu, você pode recuperá-lo do mesmo jeito: com um registro onde o domínio está publicado hoje. ${GUIDE_IS_ENGLISH}`,
  }),
};

/** Mails about the delegation of a zone, and about a name that another organization took. */
export const delegationMails: Readonly<Record<string, MailKind>> = {
  zone_delegation_lost: mailKind(
    lost,
    ({ name, nameservers, observed, to_owner }, { organization, at, where }, language) => ({
      ...lostWords[language]({
        name,
        assigned: (nameservers ?? []).join(", "),
        now: observed.length === 0 ? null : observed.join(", "),
        at,
        where,
      }),
      ...(to_owner ? { reason: ownerReason(language, organization) } : {}),
    }),
  ),
  zone_taken: mailKind(taken, ({ zone_id, name, kept_days }, { at, where }, language) =>
    takenWords[language]({ name, id: String(zone_id), days: kept_days, at, where }),
  ),
};
