import { z } from "zod";
import {
  type MailFacts,
  type MailKind,
  type MailLanguage,
  mailKind,
  preparedMailKind,
  strong,
} from "../../surfaces/mail/mail-kind.ts";
import { invitationMails } from "./invitations/invitation-mails.ts";
import { mailedLink, openMailedLink } from "./sign-in/password-link.ts";

/** What accounts.mail_person adds to the facts of every mail to a person. */
const toPerson = z.object({ name: z.string(), email: z.string() });

/** Why a person gets a mail about the own account. */
const reasons = {
  en: ({ organization }) => `You get this mail because you have an account at Selo, with access to ${organization}.`,
  "pt-BR": ({ organization }) => `Você recebe este e-mail porque tem conta no Selo, com acesso a ${organization}.`,
} as const satisfies Record<MailLanguage, (facts: MailFacts) => string>;

/** The page that asks for a link. */
const FORGOTTEN = "/app/password";

/** Mails to people about their own accounts. */
export const accountMails: Readonly<Record<string, MailKind>> = {
  ...invitationMails,
  password_reset: preparedMailKind(
    toPerson.extend(mailedLink.shape),
    openMailedLink,
    ({ name, email, expires_at, link }, facts, language) => {
      const reason = reasons[language](facts);
      const until = facts.local(expires_at);
      return language === "en"
        ? {
            subject: "Choose another password for Selo",
            preheader: "The link is good for 1 hour. If it was not you, ignore this mail.",
            heading: "Choose another password",
            lead: [
              `Hello ${name}. Somebody asked to change the password of your account at Selo. If it was you, go on:`,
            ],
            facts: [
              ["Account", email],
              ["Asked on", facts.at],
              ["The link is good until", `${until}, and once.`],
            ],
            button: { label: "Choose another password", path: link },
            note: [
              [
                strong("It was not you?"),
                " Ignore this mail: the password stays as it is, and whoever asked sees nothing of your account.",
              ],
              "When you change the password, all your sessions end. Your second factor, if you use one, stays on.",
            ],
            link,
            reason,
          }
        : {
            subject: "Escolha outra senha para o Selo",
            preheader: "O link vale 1 hora. Se não foi você, ignore este e-mail.",
            heading: "Escolha outra senha",
            lead: [`Olá, ${name}. Alguém pediu para trocar a senha da sua conta no Selo. Se foi você, continue:`],
            facts: [
              ["Conta", email],
              ["Pedido em", facts.at],
              ["O link vale até", `${until}. Vale uma vez.`],
            ],
            button: { label: "Escolher outra senha", path: link },
            note: [
              [
                strong("Não foi você?"),
                " Ignore este e-mail: a senha continua a mesma, e quem fez o pedido não vê nada da sua conta.",
              ],
              "Ao trocar a senha, todas as suas sessões são encerradas. O segundo fator, se você usa um, continua ligado.",
            ],
            link,
            reason,
          };
    },
  ),
  password_changed: mailKind(toPerson, ({ name, email }, facts, language) => {
    const reason = reasons[language](facts);
    return language === "en"
      ? {
          subject: "Your password for Selo was changed",
          preheader: "If it was not you, choose another one now.",
          heading: "Your password was changed",
          lead: [`Hello ${name}. Since ${facts.at}, your account at Selo has another password.`],
          facts: [["Account", email]],
          button: { label: "Choose another password", path: FORGOTTEN },
          note: [
            [strong("It was you?"), " You have nothing to do."],
            [
              strong("It was not you?"),
              " Choose another password now, and tell who manages your organization at Selo.",
            ],
          ],
          reason,
        }
      : {
          subject: "A sua senha do Selo foi trocada",
          preheader: "Se não foi você, escolha outra agora.",
          heading: "A sua senha foi trocada",
          lead: [`Olá, ${name}. Desde ${facts.at}, a sua conta no Selo tem outra senha.`],
          facts: [["Conta", email]],
          button: { label: "Escolher outra senha", path: FORGOTTEN },
          note: [
            [strong("Foi você?"), " Então não há nada a fazer."],
            [strong("Não foi você?"), " Escolha outra senha agora e avise quem administra a sua organização no Selo."],
          ],
          reason,
        };
  }),
};
