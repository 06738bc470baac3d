import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailFact,
  type MailFacts,
  type MailKind,
  type MailLanguage,
  type MailText,
  type MailWords,
  mailInstant,
  mailKind,
  preparedMailKind,
  strong,
} from "../../surfaces/mail/mail-kind.ts";
import { knownLink, linkData, openLink } from "./signing/signing-link.ts";

const ROLES = ["signatario", "aprovador", "testemunha", "observador"] as const;

const toParticipant = linkData.extend({
  title: z.string(),
  message: z.string().nullable(),
  role: z.enum(ROLES),
  status: z.string(),
  /** Why the sender cancelled. */
  reason: z.string().nullable(),
  expires_at: mailInstant,
  // Rows that an earlier version wrote lack these.
  name: z.string().nullish(),
  /** How the participant's codes travel. */
  code_channel: z.enum(["email", "sms"]).nullish(),
  documents: z.int().nullish(),
  pages: z.int().nullish(),
  verification_code: z.string().nullish(),
  /** Until when the link shows the copy. */
  copies_until: mailInstant.nullish(),
  /** Whether one participant acted at most; those who are only informed do not count. */
  is_alone: z.boolean().nullish(),
});
type Participation = z.output<typeof toParticipant> & { readonly link: string };

interface Act {
  /** What the organization does, after its name. */
  readonly asks: string;
  /** What the participant is to do, after "if you agree". Null for an observer. */
  readonly verb: ((isOne: boolean) => string) | null;
  /** Whose document it was, and what the participant did with it: follows the noun. */
  readonly done: (organization: string) => string;
}

const it = (isOne: boolean) => (isOne ? "it" : "them");

/** What a role asks of its participant. */
const acts: Readonly<Record<MailLanguage, Readonly<Record<(typeof ROLES)[number], Act>>>> = {
  en: {
    signatario: {
      asks: "asks for your signature",
      verb: (isOne) => `sign ${it(isOne)}`,
      done: (organization) => `that you signed at the request of ${organization}`,
    },
    aprovador: {
      asks: "asks for your approval",
      verb: (isOne) => `approve ${it(isOne)}`,
      done: (organization) => `that you approved at the request of ${organization}`,
    },
    testemunha: {
      asks: "asks you to be a witness",
      verb: () => "confirm as a witness",
      done: (organization) => `that you witnessed at the request of ${organization}`,
    },
    observador: {
      asks: "shows you a document",
      verb: null,
      done: (organization) => `that was shown to you by ${organization}`,
    },
  },
  "pt-BR": {
    signatario: {
      asks: "pede a sua assinatura",
      verb: () => "assine",
      done: (organization) => `que ${organization} enviou e você assinou`,
    },
    aprovador: {
      asks: "pede a sua aprovação",
      verb: () => "aprove",
      done: (organization) => `que ${organization} enviou e você aprovou`,
    },
    testemunha: {
      asks: "pede que você seja testemunha",
      verb: () => "confirme como testemunha",
      done: (organization) => `que ${organization} enviou e em que você foi testemunha`,
    },
    observador: {
      asks: "mostra um documento a você",
      verb: null,
      done: (organization) => `que ${organization} enviou a você`,
    },
  },
};

/** What is to be done, after the greeting. */
const tasks: Readonly<Record<MailLanguage, (verb: Act["verb"], organization: string, isOne: boolean) => string>> = {
  en: (verb, organization, isOne) =>
    verb === null
      ? `${organization} wants you to read ${isOne ? "this document" : "these documents"}. You need not sign anything.`
      : `${isOne ? "A document is" : "Documents are"} waiting for you: read ${it(isOne)} and, if you agree, ${verb(isOne)}. It takes a few minutes, on a phone or a computer.`,
  "pt-BR": (verb, organization, isOne) =>
    verb === null
      ? `${organization} quer que você conheça ${isOne ? "este documento" : "estes documentos"}. É só para ler: você não precisa assinar nada.`
      : `Há ${isOne ? "um documento" : "documentos"} esperando por você: leia e, se concordar, ${verb(isOne)}. Leva poucos minutos, no celular ou no computador.`,
};

/** How long a message of the sender may be in a mail: the rest stands on the page. */
const MOST_OF_MESSAGE = 500;

const shortened = (text: string) => {
  const characters = [...text];
  return characters.length <= MOST_OF_MESSAGE ? text : `${characters.slice(0, MOST_OF_MESSAGE).join("")}…`;
};

const factIf = (label: string, value: string | null | undefined): readonly MailFact[] =>
  value === null || value === undefined || value === "" ? [] : [[label, shortened(value)]];

/** By it anyone finds the document. */
const codeFact = (label: string, code: string | null | undefined): readonly MailFact[] =>
  code ? [[label, [strong(code)]]] : [];

const reasons = {
  en: (organization: string) => `You get this mail because ${organization} gave us your address.`,
  "pt-BR": (organization: string) => `Você recebe este e-mail porque ${organization} informou o seu endereço.`,
} as const satisfies Record<MailLanguage, (organization: string) => string>;

const greetings = {
  en: (name: string) => `Hello ${name}.`,
  "pt-BR": (name: string) => `Olá, ${name}.`,
} as const satisfies Record<MailLanguage, (name: string) => string>;

/** A paragraph that begins with the name of the participant, where the row has it. */
const greeting = (language: MailLanguage, { name }: Participation, text: string) =>
  name ? `${greetings[language](name)} ${text}` : text;

const isBySms = ({ code_channel }: Participation) => code_channel === "sms";

/** Envelopes of several documents say so. */
const isOneDocument = ({ documents }: Participation) => (documents ?? 1) === 1;

/** The documents by their title, and how long they are. */
function documentFact(mail: Participation, language: MailLanguage): MailFact {
  const { title, documents, pages } = mail;
  const isOne = isOneDocument(mail);
  const isEnglish = language === "en";
  const files = isOne ? [] : [isEnglish ? `${documents} files` : `${documents} arquivos`];
  const length = pages ? [counted(pages, isEnglish ? ["page", "pages"] : ["página", "páginas"])] : [];
  const label = isEnglish ? (isOne ? "Document" : "Documents") : isOne ? "Documento" : "Documentos";
  return [label, [strong(title), ...[...files, ...length].map((part) => `, ${part}`)]];
}

const counted = (count: number, [one, many]: readonly [string, string]) => `${count} ${count === 1 ? one : many}`;

/** What comes after the link, and the way to decline. */
const howToOpen: Readonly<
  Record<MailLanguage, (reads: boolean, isOne: boolean, bySms: boolean) => Exclude<MailText, string>>
> = {
  en: (reads, isOne, bySms) =>
    reads
      ? [` You get a code by ${bySms ? "SMS" : "mail"}, and then read.`]
      : [
          ` You first get a code by ${bySms ? "SMS" : "mail"}, read ${isOne ? "the whole document" : "all documents"}, and decide. To decline, press `,
          strong("Decline"),
          " at the top of the page and write the reason.",
        ],
  "pt-BR": (reads, isOne, bySms) =>
    reads
      ? [` Você recebe um código ${bySms ? "por SMS" : "neste endereço"} e depois lê.`]
      : [
          ` Antes, você recebe um código ${bySms ? "por SMS" : "neste endereço"}, lê ${isOne ? "o documento inteiro" : "todos os documentos"} e decide. Para recusar, toque em `,
          strong("Recusar"),
          ", no alto da página, e escreva o motivo.",
        ],
};

/** An invitation or a reminder: both ask for the same, by the same link. */
function asking(isReminder: boolean) {
  return (mail: Participation, { organization, local }: MailFacts, language: MailLanguage): MailWords => {
    const { title, message, link, role } = mail;
    const { asks, verb } = acts[language][role];
    const isOne = isOneDocument(mail);
    const until = local(mail.expires_at);
    const reads = verb === null;
    const shared = {
      lead: [greeting(language, mail, tasks[language](verb, organization, isOne))],
      link,
      isByOrganization: true,
      reason: reasons[language](organization),
    } as const;
    return language === "en"
      ? {
          ...shared,
          subject: isReminder ? `Reminder: ${title}` : `${organization} ${asks}: ${title}`,
          preheader: `Until ${until}. Opening it is not signing.`,
          heading: isReminder ? `${organization} is still waiting for you` : `${organization} ${asks}`,
          quote: { text: shortened(message ?? ""), by: `Message written by ${organization}` },
          facts: [documentFact(mail, language), ["Until", until]],
          button: { label: isOne ? "Read the document" : "Read the documents", path: link },
          note: [
            [strong("Opening it is not signing."), ...howToOpen.en(reads, isOne, isBySms(mail))],
            "The link is yours alone: do not forward this mail.",
          ],
          warning: { text: [strong("You do not know the sender?"), " Do not open the link."], contact: "Tell us" },
        }
      : {
          ...shared,
          subject: isReminder ? `Lembrete: ${title}` : `${organization} ${asks}: ${title}`,
          preheader: `Até ${until}. Abrir não é assinar.`,
          heading: isReminder ? `${organization} ainda espera por você` : `${organization} ${asks}`,
          quote: { text: shortened(message ?? ""), by: `Mensagem escrita por ${organization}` },
          facts: [documentFact(mail, language), ["Prazo", until]],
          button: { label: isOne ? "Ler o documento" : "Ler os documentos", path: link },
          note: [
            [strong("Abrir não é assinar."), ...howToOpen["pt-BR"](reads, isOne, isBySms(mail))],
            "O link é só seu: não encaminhe este e-mail.",
          ],
          warning: { text: [strong("Não conhece quem enviou?"), " Não abra o link."], contact: "Avise-nos" },
        };
  };
}

/** How a request ended, for sentences. Other states are called by their names. */
const endings: Readonly<Record<MailLanguage, Readonly<Record<string, string>>>> = {
  en: {
    cancelled: "was cancelled by its sender",
    declined: "was declined by a participant",
    expired: "has expired",
    failed: "could not be completed",
  },
  "pt-BR": {
    cancelled: "foi cancelado por quem o enviou",
    declined: "foi recusado por um participante",
    expired: "expirou",
    failed: "não pôde ser concluído",
  },
};

/** Everybody has signed, and the final documents could not be made. */
const failed = (mail: Participation, { organization, at }: MailFacts, language: MailLanguage): MailWords => {
  const { title, link } = mail;
  return language === "en"
    ? {
        subject: `Not completed: ${title}`,
        preheader: "You do not have to act now.",
        heading: "The documents could not be completed",
        lead: [
          `On ${at}, a fault prevented the final documents of “${title}” from being made.`,
          `What you did is on record. ${organization} knows, and will tell you if you have to sign again.`,
        ],
        facts: [["From", organization], documentFact(mail, language)],
        button: { label: "See the current state", path: link },
        note: "The link is yours alone: do not forward this mail.",
        link,
        isByOrganization: true,
        reason: reasons.en(organization),
      }
    : {
        subject: `Não concluído: ${title}`,
        preheader: "Por enquanto, você não precisa fazer nada.",
        heading: "Os documentos não puderam ser concluídos",
        lead: [
          `Em ${at}, uma falha impediu que os documentos finais de “${title}” fossem gerados.`,
          `O que você fez está registrado. ${organization} já sabe e vai avisar se você precisar assinar de novo.`,
        ],
        facts: [["De", organization], documentFact(mail, language)],
        button: { label: "Ver a situação", path: link },
        note: "O link é só seu: não encaminhe este e-mail.",
        link,
        isByOrganization: true,
        reason: reasons["pt-BR"](organization),
      };
};

const ended = (mail: Participation, facts: MailFacts, language: MailLanguage): MailWords => {
  const { title, link, reason, status } = mail;
  const { organization, at } = facts;
  if (status === "failed") return failed(mail, facts, language);
  const how = endings[language][status] ?? status;
  return language === "en"
    ? {
        subject: `Ended: ${title}`,
        preheader: "You do not have to act.",
        heading: `The request ${how}`,
        lead: [
          `The request of ${organization} about “${title}” ${how} on ${at}.`,
          "There is nothing left for you to do.",
        ],
        facts: [["From", organization], documentFact(mail, language), ...factIf("Reason", reason)],
        button: { label: "See the request", path: link },
        note: "The link is yours alone: do not forward this mail.",
        link,
        isByOrganization: true,
        reason: reasons.en(organization),
      }
    : {
        subject: `Encerrado: ${title}`,
        preheader: "Você não precisa fazer nada.",
        heading: `O pedido ${how}`,
        lead: [
          `O pedido feito por ${organization} sobre “${title}” ${how} em ${at}.`,
          "Você não precisa fazer mais nada.",
        ],
        facts: [["De", organization], documentFact(mail, language), ...factIf("Motivo", reason)],
        button: { label: "Ver o pedido", path: link },
        note: "O link é só seu: não encaminhe este e-mail.",
        link,
        isByOrganization: true,
        reason: reasons["pt-BR"](organization),
      };
};

/** The mail about the copies. A participant who acted alone is not told what "everybody" did. */
const completed = (mail: Participation, { organization, at, local }: MailFacts, language: MailLanguage): MailWords => {
  const { title, link, role, verification_code, is_alone, copies_until } = mail;
  const until = copies_until ? local(copies_until) : null;
  const isAlone = is_alone === true;
  const isOne = isOneDocument(mail);
  const { done } = acts[language][role];
  return language === "en"
    ? {
        subject: `Your copy: ${title}`,
        preheader: `${isAlone ? "" : "Everybody has signed. "}The link works ${until === null ? "for 90 days" : `until ${until}`}.`,
        heading: "Your copy is ready",
        lead: [
          greeting(
            language,
            mail,
            `The ${isOne ? "document" : "documents"} ${done(organization)} ${isOne ? "is" : "are"} complete${isAlone ? "." : ": everybody has signed."}`,
          ),
        ],
        facts: [
          documentFact(mail, language),
          ["Completed on", at],
          ...codeFact("Verification code", verification_code),
        ],
        button: { label: "Get my copy", path: link },
        note: [
          [
            `The link asks for a code, which ${isBySms(mail) ? "comes by SMS" : "goes to this address"}, and shows the copy `,
            strong(until === null ? "for 90 days" : `until ${until}`),
            `. Save ${isOne ? "both files, the document and the evidence report" : "all files, including the evidence report"}: with them anyone can check who signed, even without us.`,
          ],
          `The link is yours alone: do not forward this mail. To show the ${isOne ? "document" : "documents"} to somebody, send the files.`,
        ],
        link,
        isByOrganization: true,
        reason: reasons.en(organization),
      }
    : {
        subject: `Sua cópia: ${title}`,
        preheader: `${isAlone ? "" : "Todos já assinaram. "}O link vale ${until === null ? "por 90 dias" : `até ${until}`}.`,
        heading: "Sua cópia está pronta",
        lead: [
          greeting(
            language,
            mail,
            `${isOne ? "O documento" : "Os documentos"} ${done(organization)} ${isOne ? "foi concluído" : "foram concluídos"}${isAlone ? "." : ": todos já assinaram."}`,
          ),
        ],
        facts: [
          documentFact(mail, language),
          ["Concluído em", at],
          ...codeFact("Código de verificação", verification_code),
        ],
        button: { label: "Baixar a minha cópia", path: link },
        note: [
          [
            `O link pede um código, que chega ${isBySms(mail) ? "por SMS" : "neste endereço"}, e mostra a cópia `,
            strong(until === null ? "por 90 dias" : `até ${until}`),
            `. Baixe ${isOne ? "os dois arquivos, o documento e o relatório de evidências" : "todos os arquivos, inclusive o relatório de evidências"}: com eles, qualquer pessoa verifica quem assinou, mesmo sem o Selo.`,
          ],
          `O link é só seu: não encaminhe este e-mail. Para mostrar ${isOne ? "o documento" : "os documentos"} a alguém, envie os arquivos.`,
        ],
        link,
        isByOrganization: true,
        reason: reasons["pt-BR"](organization),
      };
};

const completion = z.object({
  envelope_id: z.uuid(),
  title: z.string(),
  verification_code: z.string(),
  participants: z.array(z.object({ name: z.string(), role: z.enum(ROLES), completed_at: mailInstant })),
  documents: z.array(z.object({ id: z.uuid(), filename: z.string() })),
});

/** What somebody of a role did, before when. */
const deeds: Readonly<Record<MailLanguage, Readonly<Record<(typeof ROLES)[number], string>>>> = {
  en: { signatario: "signed on", aprovador: "approved on", testemunha: "witnessed on", observador: "read on" },
  "pt-BR": {
    signatario: "assinou em",
    aprovador: "aprovou em",
    testemunha: "assinou como testemunha em",
    observador: "leu em",
  },
};

/**
 * To the contact of the organization: who acted, and where the files are. A file is behind a path of the API, because no address that a mail can
 * hold opens one without a token. So the button leads to the page where anyone verifies.
 */
const completionWords = (
  { envelope_id, title, verification_code, participants, documents }: z.output<typeof completion>,
  { at, local, where }: MailFacts,
  language: MailLanguage,
): MailWords => {
  const isAlone = participants.filter(({ role }) => role !== "observador").length < 2;
  const isOne = documents.length === 1;
  const people = participants.map(
    ({ name, role, completed_at }) => [name, `${deeds[language][role]} ${local(completed_at)}`] as const,
  );
  const of = `/api/v1/envelopes/${envelope_id}`;
  const files = documents.map(({ id, filename }) => [filename, `GET ${of}/documents/${id}/download`] as const);
  const path = `/verify/${verification_code}`;
  return language === "en"
    ? {
        subject: `${isAlone ? "Signed" : "Signed by all"}: ${title}`,
        preheader: "The files and the evidence report are ready.",
        heading: `The ${isOne ? "document was" : "documents were"} ${isAlone ? "signed" : "signed by all"}`,
        lead: [[strong(title), ` was completed on ${at}.`]],
        facts: [],
        people,
        button: { label: "See the verification", path },
        note: [
          `Ready in the API: the ${isOne ? "document" : "documents"} and the evidence report, under the paths below. Keep them together: with them anyone can check who signed and when, even without us.`,
          [
            "Verification code: ",
            strong(verification_code),
            `. ${isAlone ? "The participant has received a link to the copy." : "Each participant has received a link to the copy."}`,
          ],
        ],
        details: [
          ...files,
          ["Evidence report", `GET ${of}/evidence, with Accept: application/pdf`],
          ["ID of the envelope", envelope_id],
          where,
        ],
      }
    : {
        subject: `${isAlone ? "Assinado" : "Assinado por todos"}: ${title}`,
        preheader: "Os arquivos e o relatório de evidências estão prontos.",
        heading: `${isOne ? "O documento foi assinado" : "Os documentos foram assinados"}${isAlone ? "" : " por todos"}`,
        lead: [[strong(title), ` foi concluído em ${at}.`]],
        facts: [],
        people,
        button: { label: "Ver a verificação", path },
        note: [
          `Prontos na API, nos caminhos abaixo: ${isOne ? "o documento" : "os documentos"} e o relatório de evidências. Guarde tudo junto: assim, qualquer pessoa verifica quem assinou e quando, mesmo sem o Selo.`,
          [
            "Código de verificação: ",
            strong(verification_code),
            `. ${isAlone ? "O participante recebeu um link para a cópia." : "Cada participante recebeu um link para a cópia."}`,
          ],
        ],
        details: [
          ...files,
          ["Relatório de evidências", `GET ${of}/evidence, com Accept: application/pdf`],
          ["ID do envelope", envelope_id],
          where,
        ],
      };
};

const otherName = z.object({
  envelope_id: z.uuid(),
  title: z.string(),
  name: z.string(),
  certificate: z.string(),
});
const delegated = z.object({
  envelope_id: z.uuid(),
  title: z.string(),
  name: z.string(),
  email: z.string(),
  previous_name: z.string(),
  previous_email: z.string(),
});
const stopped = z.object({
  envelope_id: z.uuid(),
  title: z.string(),
  status: z.enum(["declined", "expired", "failed"]),
  /** Why the completion failed. Mails from before it was known have none. */
  failure_reason: z.enum(["unsealable", "completion_failed"]).nullish(),
  /** Why the participant declined. */
  reason: z.string().nullable(),
});

/** What the contact can do about an envelope that ended without being completed. */
const advice: Readonly<Record<MailLanguage, Readonly<Record<string, string>>>> = {
  en: {
    declined: "Talk to the participant, and send a new envelope if needed.",
    expired: "Send a new envelope if it is still needed.",
    failed:
      "The operator of this service can try the completion again, which takes no credits: the credits that the envelope took are back in your balance.",
    unsealable:
      "One of its PDFs cannot take the seal. Open each, print it to a new PDF, and send a new envelope: its participants must sign again. The credits that the envelope took are back in your balance.",
  },
  "pt-BR": {
    declined: "Converse com o participante e, se for o caso, envie um novo envelope.",
    expired: "Se ainda for necessário, envie um novo envelope.",
    failed:
      "Quem opera este serviço pode tentar a conclusão de novo, sem gastar créditos: os que o envelope gastou já voltaram ao seu saldo.",
    unsealable:
      "Um dos PDFs não aceita o selo. Abra cada um, imprima em um novo PDF e envie um novo envelope: os participantes precisam assinar de novo. Os créditos que o envelope gastou já voltaram ao seu saldo.",
  },
};

export const envelopeMails: Readonly<Record<string, MailKind>> = {
  envelope_invitation: preparedMailKind(toParticipant, openLink, asking(false)),
  envelope_reminder: preparedMailKind(toParticipant, openLink, asking(true)),
  envelope_ended: preparedMailKind(toParticipant, knownLink, ended),
  envelope_completed: preparedMailKind(toParticipant, knownLink, completed),
  /** This and the next: to the contact of the organization. */
  envelope_completion: mailKind(completion, completionWords),
  certificate_name_differs: mailKind(otherName, ({ envelope_id, title, name, certificate }, { at, where }, language) =>
    language === "en"
      ? {
          subject: `Signed with a certificate of another name: ${title}`,
          preheader: "See whether it is the right person.",
          heading: "The certificate has another name",
          lead: [
            `A participant of the envelope “${title}” signed on ${at} with an ICP-Brasil certificate of another name than the one that you gave.`,
            "The signature is valid, and the evidence report says so, too. Names often differ because of a marriage, or because one is shorter.",
          ],
          facts: [
            ["Name that you gave", name],
            ["Name in the certificate", certificate],
            ["ID of the envelope", envelope_id],
            where,
          ],
          button: { label: "About signatures with certificates", path: "/guides/signatures#sign-with-a-certificate" },
          note: "Give the CPF of a participant, and only a certificate with this CPF is accepted.",
        }
      : {
          subject: `Assinado com certificado de outro nome: ${title}`,
          preheader: "Veja se é a pessoa certa.",
          heading: "O certificado tem outro nome",
          lead: [
            `Um participante do envelope “${title}” assinou em ${at} com um certificado ICP-Brasil de nome diferente do que você informou.`,
            "A assinatura é válida, e o relatório de evidências também diz isso. Nomes diferem muitas vezes por causa de um casamento ou porque um deles é mais curto.",
          ],
          facts: [
            ["Nome que você informou", name],
            ["Nome no certificado", certificate],
            ["ID do envelope", envelope_id],
            where,
          ],
          button: { label: "Sobre assinaturas com certificado", path: "/guides/signatures#sign-with-a-certificate" },
          note: `Informe o CPF do participante: só um certificado com esse CPF será aceito. ${GUIDE_IS_ENGLISH}`,
        },
  ),
  turn_delegated: mailKind(
    delegated,
    ({ envelope_id, title, name, email, previous_name, previous_email }, { at, where }, language) =>
      language === "en"
        ? {
            subject: `Somebody else will sign: ${title}`,
            preheader: `${previous_name} handed the turn to ${name}.`,
            heading: "A participant passed the turn on",
            lead: [
              `In the envelope “${title}”, ${previous_name} handed the turn to ${name} on ${at}.`,
              "The invitation is on its way. Both names stand in the evidence report.",
            ],
            facts: [
              ["Before", `${previous_name}, ${previous_email}`],
              ["Now", `${name}, ${email}`],
              ["ID of the envelope", envelope_id],
              where,
            ],
            button: { label: "About turns that are passed on", path: "/guides/signatures#another-persons-turn" },
            note: "Is this not the right person? Until the act, you can give the participant another name and address, or cancel the envelope.",
          }
        : {
            subject: `Outra pessoa vai assinar: ${title}`,
            preheader: `${previous_name} passou a vez a ${name}.`,
            heading: "Um participante passou a vez",
            lead: [
              `No envelope “${title}”, ${previous_name} passou a vez a ${name} em ${at}.`,
              "O convite está a caminho. Os dois nomes ficam no relatório de evidências.",
            ],
            facts: [
              ["Antes", `${previous_name}, ${previous_email}`],
              ["Agora", `${name}, ${email}`],
              ["ID do envelope", envelope_id],
              where,
            ],
            button: { label: "Sobre passar a vez", path: "/guides/signatures#another-persons-turn" },
            note: `Não é a pessoa certa? Enquanto ela não agir, você pode trocar nome e endereço do participante ou cancelar o envelope. ${GUIDE_IS_ENGLISH}`,
          },
  ),
  envelope_stopped: mailKind(
    stopped,
    ({ envelope_id, title, status, failure_reason, reason }, { at, where }, language) => {
      const how = endings[language][status] ?? status;
      const note = advice[language][failure_reason === "unsealable" ? failure_reason : status] ?? "";
      const path = "/guides/signatures#how-an-envelope-ends";
      return language === "en"
        ? {
            subject: `The envelope ${how}: ${title}`,
            preheader: "What you can do now.",
            heading: `An envelope ${how}`,
            lead: [
              `The envelope “${title}” ${how} on ${at}.`,
              "It was not completed, and its participants can no longer act.",
            ],
            facts: [["Envelope", title], ["ID of the envelope", envelope_id], ...factIf("Reason", reason), where],
            button: { label: "How an envelope ends", path },
            note,
          }
        : {
            subject: `O envelope ${how}: ${title}`,
            preheader: "O que você pode fazer agora.",
            heading: `Um envelope ${how}`,
            lead: [
              `O envelope “${title}” ${how} em ${at}.`,
              "Ele não foi concluído, e os participantes não podem mais agir nele.",
            ],
            facts: [["Envelope", title], ["ID do envelope", envelope_id], ...factIf("Motivo", reason), where],
            button: { label: "Como um envelope termina", path },
            note: `${note} ${GUIDE_IS_ENGLISH}`,
          };
    },
  ),
};
