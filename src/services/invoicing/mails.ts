import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailInstant,
  mailKind,
  ownerReason,
} from "../../surfaces/mail/mail-kind.ts";

const ending = z.object({
  issuer_id: z.uuid(),
  name: z.string(),
  cnpj: z.string(),
  ends_at: mailInstant,
  /** Absent from mails to the contact of an organization. */
  to_owner: z.boolean().nullish(),
});

const unanswered = z.object({
  invoice_id: z.uuid(),
  is_cancellation: z.boolean(),
  customer: z.string(),
  series: z.string().nullable(),
  number: z.string().nullable(),
  /** When the first attempt failed. */
  since: mailInstant,
  to_owner: z.boolean().nullish(),
});

interface EndingFacts {
  readonly name: string;
  readonly cnpj: string;
  readonly id: string;
  readonly endsAt: string;
  readonly where: readonly [string, string];
}

interface UnansweredFacts {
  readonly isCancellation: boolean;
  readonly customer: string;
  /** Series and number. */
  readonly number: string;
  readonly id: string;
  readonly since: string;
  readonly at: string;
  readonly where: readonly [string, string];
}

const CERTIFICATE = "/guides/invoices#the-certificate";
const NO_ANSWER = "/guides/invoices#when-no-answer-comes";

const endingWords: Readonly<Record<MailLanguage, (issuer: EndingFacts) => MailWords>> = {
  en: ({ name, cnpj, id, endsAt, where }) => ({
    subject: `The certificate of ${name} ends soon`,
    preheader: `From ${endsAt} on, no invoice can be issued or canceled with it.`,
    heading: `The certificate of ${name} ends soon`,
    lead: [
      `The certificate that signs the invoices of ${name} is valid until ${endsAt}. After that, its invoices wait.`,
      "Buy a new company certificate in a file (A1) from an authority of ICP-Brasil, and upload it before that day. The new one replaces the old one at once.",
    ],
    facts: [["Issuer", `${name}, ${cnpj}`], ["Valid until", endsAt], ["ID of the issuer", id], where],
    button: { label: "See how to upload it", path: CERTIFICATE },
    note: "If you have uploaded a new certificate already, you need not do anything.",
  }),
  "pt-BR": ({ name, cnpj, id, endsAt, where }) => ({
    subject: `O certificado de ${name} está para vencer`,
    preheader: `A partir de ${endsAt}, não dá mais para emitir nem cancelar notas com ele.`,
    heading: `O certificado de ${name} está para vencer`,
    lead: [
      `O certificado que assina as notas de ${name} vale até ${endsAt}. Depois disso, as notas ficam esperando.`,
      "Compre um novo certificado de empresa em arquivo (A1), de uma autoridade da ICP-Brasil, e envie o arquivo antes desse dia. O novo substitui o atual na mesma hora.",
    ],
    facts: [["Emissor", `${name}, ${cnpj}`], ["Válido até", endsAt], ["ID do emissor", id], where],
    button: { label: "Ver como enviar o certificado", path: CERTIFICATE },
    note: `Se você já enviou um novo certificado, não precisa fazer nada. ${GUIDE_IS_ENGLISH}`,
  }),
};

const unansweredWords: Readonly<Record<MailLanguage, (invoice: UnansweredFacts) => MailWords>> = {
  en: ({ isCancellation, customer, number, id, since, at, where }) => ({
    subject: isCancellation ? `Invoice ${number} could not be canceled` : `Invoice ${number} could not be issued`,
    preheader: "The tax authority gave no usable answer for five days. It is tried no more by itself.",
    heading: isCancellation
      ? `The cancellation of invoice ${number} has no answer`
      : `Invoice ${number} has no answer from the tax authority`,
    lead: [
      `Selo tried since ${since}, and the tax authority gave no usable answer. It is tried no more by itself.`,
      isCancellation
        ? "Ask for the cancellation again. Selo first asks the tax authority whether the invoice is canceled already."
        : "Emit the invoice again. Selo first asks the tax authority whether it was issued already, so it is never issued twice.",
    ],
    facts: [["Invoice", number], ["Customer", customer], ["ID of the invoice", id], ["Tried until", at], where],
    button: { label: "See what to do", path: NO_ANSWER },
    note: "Do not issue another invoice for the same service before that: the first one may exist at the tax authority.",
  }),
  "pt-BR": ({ isCancellation, customer, number, id, since, at, where }) => ({
    subject: isCancellation ? `A nota ${number} não pôde ser cancelada` : `A nota ${number} não pôde ser emitida`,
    preheader: "O fisco não deu uma resposta válida em cinco dias. O Selo parou de tentar.",
    heading: isCancellation
      ? `O cancelamento da nota ${number} está sem resposta`
      : `A nota ${number} está sem resposta do fisco`,
    lead: [
      `O Selo tentou desde ${since}, e o fisco não deu uma resposta válida. Ele não tenta mais sozinho.`,
      isCancellation
        ? "Peça o cancelamento de novo. Antes de tudo, o Selo pergunta ao fisco se a nota já está cancelada."
        : "Mande emitir a nota de novo. Antes de tudo, o Selo pergunta ao fisco se ela já foi emitida. Assim, ela nunca sai duas vezes.",
    ],
    facts: [["Nota", number], ["Cliente", customer], ["ID da nota", id], ["Última tentativa", at], where],
    button: { label: "Ver o que fazer", path: NO_ANSWER },
    note: `Não emita outra nota do mesmo serviço antes disso: a primeira pode existir no fisco. ${GUIDE_IS_ENGLISH}`,
  }),
};

/** Mails about certificates that end, and about invoices that wait in vain. */
export const invoicingMails: Readonly<Record<string, MailKind>> = {
  invoice_certificate_ends: mailKind(
    ending,
    ({ issuer_id, name, cnpj, ends_at, to_owner }, { organization, local, where }, language) => ({
      ...endingWords[language]({ name, cnpj, id: issuer_id, endsAt: local(ends_at), where }),
      ...(to_owner ? { reason: ownerReason(language, organization) } : {}),
    }),
  ),
  invoice_unanswered: mailKind(
    unanswered,
    (
      { invoice_id, is_cancellation, customer, series, number, since, to_owner },
      { organization, at, local, where },
      language,
    ) => ({
      ...unansweredWords[language]({
        isCancellation: is_cancellation,
        customer,
        number: [number, series].filter((part) => part !== null).join("/"),
        id: invoice_id,
        since: local(since),
        at,
        where,
      }),
      ...(to_owner ? { reason: ownerReason(language, organization) } : {}),
    }),
  ),
};
