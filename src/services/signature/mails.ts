import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailFacts,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailInstant,
  mailKind,
  preparedMailKind,
} from "../platform/mails/mail-kind.ts";
import { knownLink, linkData, openLink } from "./operations/signing-link.ts";

const ROLES = ["signatario", "aprovador", "testemunha", "observador"] as const;

const toParticipant = linkData.extend({
  title: z.string(),
  message: z.string().nullable(),
  role: z.enum(ROLES),
  status: z.string(),
  /** Why the sender cancelled. */
  reason: z.string().nullable(),
  expires_at: mailInstant,
});
type Participation = z.output<typeof toParticipant> & { readonly link: string };

/** What a role asks of its participant: a verb for sentences, and the words of the button. */
const acts: Readonly<Record<MailLanguage, Readonly<Record<(typeof ROLES)[number], { verb: string; button: string }>>>> =
  {
    en: {
      signatario: { verb: "sign", button: "Read and sign" },
      aprovador: { verb: "approve", button: "Read and approve" },
      testemunha: { verb: "witness", button: "Read and witness" },
      observador: { verb: "read", button: "Read the documents" },
    },
    "pt-BR": {
      signatario: { verb: "assinar", button: "Ler e assinar" },
      aprovador: { verb: "aprovar", button: "Ler e aprovar" },
      testemunha: { verb: "assinar como testemunha", button: "Ler e testemunhar" },
      observador: { verb: "ler", button: "Ler os documentos" },
    },
  };

/** How long a message of the sender may be in a mail: the rest stands on the page. */
const MOST_OF_MESSAGE = 500;

const shortened = (text: string) => {
  const characters = [...text];
  return characters.length <= MOST_OF_MESSAGE ? text : `${characters.slice(0, MOST_OF_MESSAGE).join("")}…`;
};

const factIf = (label: string, value: string | null): MailWords["facts"] =>
  value === null || value === "" ? [] : [[label, shortened(value)]];

const reasons = {
  en: (organization: string) => `You get this mail because ${organization} named you as a participant of an envelope.`,
  "pt-BR": (organization: string) =>
    `Você recebe este e-mail porque ${organization} indicou você como participante de um envelope.`,
} as const satisfies Record<MailLanguage, (organization: string) => string>;

/** An invitation or a reminder: both ask for the same. */
function asking(isReminder: boolean) {
  return (mail: Participation, { organization, local }: MailFacts, language: MailLanguage): MailWords => {
    const { title, message, link } = mail;
    const { verb, button } = acts[language][mail.role];
    const until = local(mail.expires_at);
    const shared = { button: { label: button, path: link }, link, reason: reasons[language](organization) };
    return language === "en"
      ? {
          ...shared,
          subject: isReminder ? `Reminder: ${title}` : `${organization} asks you to ${verb}: ${title}`,
          preheader: `Until ${until}.`,
          heading: isReminder ? `${organization} is still waiting for you` : `${organization} asks you to ${verb}`,
          lead: [
            `${organization} sent you the envelope “${title}” and asks you to ${verb} its documents.`,
            ...(isReminder ? ["The link in this mail replaces the one in the mails before it."] : []),
          ],
          facts: [["From", organization], ["Envelope", title], ...factIf("Message", message), ["Until", until]],
          note: "The link is yours alone: do not forward this mail. Before you see the documents, you get a second mail with a code.",
        }
      : {
          ...shared,
          subject: isReminder ? `Lembrete: ${title}` : `${organization} pede para você ${verb}: ${title}`,
          preheader: `O prazo é ${until}.`,
          heading: isReminder ? `${organization} ainda espera por você` : `${organization} pede para você ${verb}`,
          lead: [
            `${organization} enviou a você o envelope “${title}” e pede para você ${verb} os documentos.`,
            ...(isReminder ? ["O link deste e-mail substitui o dos e-mails anteriores."] : []),
          ],
          facts: [["De", organization], ["Envelope", title], ...factIf("Mensagem", message), ["Prazo", until]],
          note: "O link é só seu: não encaminhe este e-mail. Antes de ver os documentos, você recebe um segundo e-mail com um código.",
        };
  };
}

/** How an envelope ended, for sentences. A state that is not here is told by its name. */
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
const failed = ({ title, link }: Participation, { organization, at }: MailFacts, language: MailLanguage): MailWords =>
  language === "en"
    ? {
        subject: `Not completed: ${title}`,
        preheader: "You do not have to act now.",
        heading: "The documents could not be completed",
        lead: [
          `On ${at}, a fault kept the final documents of “${title}” from being made.`,
          `What you did is on record. ${organization} knows, and will tell you if you have to sign again.`,
        ],
        facts: [
          ["From", organization],
          ["Documents", title],
        ],
        button: { label: "See where it stands", path: link },
        note: "Questions about the documents? Ask the sender.",
        link,
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
        facts: [
          ["De", organization],
          ["Documentos", title],
        ],
        button: { label: "Ver a situação", path: link },
        note: "Dúvidas sobre os documentos? Pergunte a quem os enviou.",
        link,
        reason: `Você recebe este e-mail porque ${organization} indicou você para assinar ou acompanhar estes documentos.`,
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
        heading: `The envelope ${how}`,
        lead: [`The envelope “${title}” from ${organization} ${how} on ${at}.`, "There is nothing left for you to do."],
        facts: [["From", organization], ["Envelope", title], ...factIf("Reason", reason)],
        button: { label: "See the envelope", path: link },
        note: "Questions about the documents? Ask the sender.",
        link,
        reason: reasons.en(organization),
      }
    : {
        subject: `Encerrado: ${title}`,
        preheader: "Nenhuma ação sua é necessária.",
        heading: `O envelope ${how}`,
        lead: [
          `O envelope “${title}”, que ${organization} enviou a você, ${how} em ${at}.`,
          "Você não precisa fazer mais nada.",
        ],
        facts: [["De", organization], ["Envelope", title], ...factIf("Motivo", reason)],
        button: { label: "Ver o envelope", path: link },
        note: "Dúvidas sobre os documentos? Pergunte a quem os enviou.",
        link,
        reason: reasons["pt-BR"](organization),
      };
};

const completed = (mail: Participation, { organization, at }: MailFacts, language: MailLanguage): MailWords => {
  const { title, link } = mail;
  return language === "en"
    ? {
        subject: `Completed: ${title}`,
        preheader: "Everybody who was asked has finished. Your copies are ready.",
        heading: "The envelope is complete",
        lead: [
          `Everybody who was asked has finished: the envelope “${title}” from ${organization} was completed on ${at}.`,
          "Your copies are ready: the final documents, and the report with every step. The link leads to them for 90 days, after a code that we mail to you.",
        ],
        facts: [
          ["From", organization],
          ["Envelope", title],
          ["Completed on", at],
        ],
        button: { label: "Get your copies", path: link },
        note: "The link is yours alone: do not forward this mail. Save the files: anyone can check them at any time, also without us.",
        link,
        reason: reasons.en(organization),
      }
    : {
        subject: `Concluído: ${title}`,
        preheader: "Todos fizeram a sua parte. Suas cópias estão prontas.",
        heading: "O envelope está concluído",
        lead: [
          `Todos fizeram a sua parte: o envelope “${title}”, que ${organization} enviou a você, foi concluído em ${at}.`,
          "Suas cópias estão prontas: os documentos finais e o relatório com cada etapa. Por 90 dias, o link leva até elas, depois de um código que enviamos por e-mail.",
        ],
        facts: [
          ["De", organization],
          ["Envelope", title],
          ["Concluído em", at],
        ],
        button: { label: "Baixar minhas cópias", path: link },
        note: "O link é só seu: não encaminhe este e-mail. Guarde os arquivos: qualquer pessoa pode conferi-los a qualquer momento, mesmo sem nós.",
        link,
        reason: reasons["pt-BR"](organization),
      };
};

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
      "The operator of this service can have the completion tried again, which takes no credits: those that it took are back in your balance.",
    unsealable:
      "One of its PDFs cannot take the seal. Open each, print it to a new PDF, and send a new envelope: its participants must sign again. The credits that it took are back in your balance.",
  },
  "pt-BR": {
    declined: "Converse com o participante e, se for o caso, envie um novo envelope.",
    expired: "Se ainda for necessário, envie um novo envelope.",
    failed:
      "Quem opera este serviço pode tentar a conclusão de novo, sem gastar créditos: os que ele gastou já voltaram ao seu saldo.",
    unsealable:
      "Um dos PDFs não aceita o selo. Abra cada um, imprima em um novo PDF e envie um novo envelope: os participantes precisam assinar de novo. Os créditos que ele gastou já voltaram ao seu saldo.",
  },
};

export const envelopeMails: Readonly<Record<string, MailKind>> = {
  envelope_invitation: preparedMailKind(toParticipant, openLink, asking(false)),
  envelope_reminder: preparedMailKind(toParticipant, openLink, asking(true)),
  envelope_ended: preparedMailKind(toParticipant, knownLink, ended),
  envelope_completed: preparedMailKind(toParticipant, knownLink, completed),
  /** To the contact of the organization. */
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
