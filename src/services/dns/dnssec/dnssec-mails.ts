import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailKind,
} from "../../../surfaces/mail/mail-kind.ts";

const broken = z.object({
  zone_id: z.int(),
  name: z.string(),
  /** Whether the zone has keys. */
  signed: z.boolean(),
  /** What the parent publishes. */
  parent_ds: z.array(z.string()),
  /** A DS record of each key of the zone. */
  ds_records: z.array(z.string()),
});

/** The facts about a zone whose chain of trust broke. */
interface BrokenZone {
  readonly name: string;
  readonly isSigned: boolean;
  readonly parentDs: string;
  /** What the parent should publish; null for a zone that is not signed. */
  readonly rightDs: string | null;
  readonly at: string;
  readonly where: readonly [string, string];
}

const PATH = "/guides/dnssec#where-you-are";

const brokenWords: Readonly<Record<MailLanguage, (zone: BrokenZone) => MailWords>> = {
  en: ({ name, isSigned, parentDs, rightDs, at, where }) => ({
    subject: `DNSSEC of ${name} is broken`,
    preheader: "Many people cannot reach the domain until its DS record is corrected.",
    heading: `The DS record of ${name} does not match the zone`,
    lead: [
      isSigned
        ? `The registry publishes DS records for ${name}, and none of them belongs to a key of the zone.`
        : `The registry publishes a DS record for ${name}, but the zone is not signed.`,
      `Resolvers that check DNSSEC refuse every answer about the domain: its websites and its mail fail for their users. ${
        isSigned
          ? "At the registrar of the domain, replace the DS records with those below."
          : "At the registrar of the domain, remove the DS record."
      }`,
    ],
    facts: [
      ["Domain", name],
      ["Published now", parentDs],
      ...(rightDs === null ? [] : [["To publish", rightDs] as const]),
      ["Found on", at],
      where,
    ],
    button: { label: "See how DS records are replaced", path: PATH },
    note: "After you have corrected it, resolvers may need up to a day to see the change.",
  }),
  "pt-BR": ({ name, isSigned, parentDs, rightDs, at, where }) => ({
    subject: `O DNSSEC de ${name} está quebrado`,
    preheader: "Muita gente não consegue acessar o domínio enquanto o registro DS não for corrigido.",
    heading: `O registro DS de ${name} não confere`,
    lead: [
      isSigned
        ? `A zona pai publica registros DS de ${name}, mas nenhum deles é de uma chave da zona.`
        : `A zona pai publica um registro DS de ${name}, mas a zona não está assinada.`,
      `Os resolvedores que validam DNSSEC recusam todas as respostas sobre o domínio: para quem usa esses resolvedores, os sites e o e-mail deixam de funcionar. ${
        isSigned
          ? "No lugar onde você registrou o domínio, troque os registros DS pelos que estão abaixo."
          : "No lugar onde você registrou o domínio, remova o registro DS."
      }`,
    ],
    facts: [
      ["Domínio", name],
      ["Publicado agora", parentDs],
      ...(rightDs === null ? [] : [["A publicar", rightDs] as const]),
      ["Constatado em", at],
      where,
    ],
    button: { label: "Ver como trocar os registros DS", path: PATH },
    note: `Depois da correção, pode levar até um dia para todos verem a mudança. ${GUIDE_IS_ENGLISH}`,
  }),
};

export const dnssecMails: Readonly<Record<string, MailKind>> = {
  zone_chain_broken: mailKind(broken, ({ name, signed, parent_ds, ds_records }, { at, where }, language) =>
    brokenWords[language]({
      name,
      isSigned: signed,
      parentDs: parent_ds.join("; "),
      rightDs: ds_records.length === 0 ? null : ds_records.join("; "),
      at,
      where,
    }),
  ),
};
