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
                " Ignore this mail: the password stays as it is, and nobody has seen your account.",
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
  factors_changed: mailKind(
    toPerson.extend({
      change: z.enum([
        "factor_added",
        "factor_removed",
        "recovery_codes_made",
        "recovery_code_used",
        "factor_taken_off",
        "passkey_added",
        "passkey_removed",
      ]),
      by: z.string().nullish(),
      is_by_operator: z.boolean().optional(),
      member: z.string().nullish(),
    }),
    ({ name, email, change, by, is_by_operator, member }, facts, language) => {
      const { subject, heading, lead, isOwn } = factorWords[language](change, member ?? "");
      const reason = reasons[language](facts);
      const en = language === "en";
      const doer = is_by_operator ? (en ? "An operator of Selo" : "Quem opera o Selo") : by;
      // An administrator or an operator removes all factors at once, and ends all sessions.
      const whatElse =
        change !== "factor_removed"
          ? ""
          : typeof doer === "string"
            ? en
              ? " Passkeys were removed, too. All your sessions have ended."
              : " As chaves de acesso também foram removidas. Todas as suas sessões foram encerradas."
            : en
              ? " Your other sessions have ended."
              : " As suas outras sessões foram encerradas.";
      return {
        subject,
        preheader: en ? "If it was not you, act now." : "Se não foi você, aja agora.",
        heading,
        lead: [`${en ? `Hello ${name}.` : `Olá, ${name}.`} ${lead}${whatElse}`],
        facts: [
          [en ? "Account" : "Conta", email],
          [en ? "When" : "Quando", facts.at],
          ...(typeof doer === "string" ? ([[en ? "Done by" : "Feito por", doer]] as const) : []),
        ],
        button: { label: en ? "Sign in" : "Entrar", path: "/app" },
        note: isOwn
          ? [
              [
                strong(en ? "It was not you?" : "Não foi você?"),
                en
                  ? " Choose another password now, and end your other sessions. Then tell who manages your organization at Selo."
                  : " Escolha outra senha agora e encerre as suas outras sessões. Depois, avise quem administra a sua organização no Selo.",
              ],
            ]
          : [],
        reason,
      };
    },
  ),
};

type FactorChange =
  | "factor_added"
  | "factor_removed"
  | "recovery_codes_made"
  | "recovery_code_used"
  | "factor_taken_off"
  | "passkey_added"
  | "passkey_removed";

/** What happened to a second factor. */
const factorWords: Readonly<
  Record<
    MailLanguage,
    (
      change: FactorChange,
      member: string,
    ) => { readonly subject: string; readonly heading: string; readonly lead: string; readonly isOwn: boolean }
  >
> = {
  en: (change, member) => ({
    ...{
      factor_added: {
        subject: "Your second factor for Selo is on",
        heading: "Your second factor is on",
        lead: "From now on, signing in asks for a code of your authenticator app after the password. Your other sessions have ended.",
      },
      factor_removed: {
        subject: "Your second factor for Selo is off",
        heading: "Your second factor is off",
        lead: "From now on, the password alone opens your account. The recovery codes no longer work.",
      },
      recovery_codes_made: {
        subject: "You have new recovery codes for Selo",
        heading: "New recovery codes",
        lead: "Ten new recovery codes were made. The earlier ones no longer work.",
      },
      recovery_code_used: {
        subject: "A recovery code for Selo was used",
        heading: "A recovery code was used",
        lead: "A recovery code took the place of the code of your authenticator app. It works no more.",
      },
      passkey_added: {
        subject: "You have a new passkey for Selo",
        heading: "A passkey was added",
        lead: "From now on, a new passkey signs in to your account, without the password. Your other sessions have ended.",
      },
      passkey_removed: {
        subject: "A passkey for Selo was removed",
        heading: "A passkey was removed",
        lead: "One of your passkeys no longer signs in to your account. Your other sessions have ended.",
      },
      factor_taken_off: {
        subject: "You took a second factor off at Selo",
        heading: "You took a second factor off",
        lead: `You took the second factor off ${member}, whose password alone opens the account now.`,
      },
    }[change],
    isOwn: change !== "factor_taken_off",
  }),
  "pt-BR": (change, member) => ({
    ...{
      factor_added: {
        subject: "O seu segundo fator no Selo está ligado",
        heading: "Segundo fator ligado",
        lead: "A partir de agora, a entrada pede um código do seu aplicativo autenticador depois da senha. As suas outras sessões foram encerradas.",
      },
      factor_removed: {
        subject: "O seu segundo fator no Selo está desligado",
        heading: "Segundo fator desligado",
        lead: "A partir de agora, a senha basta para entrar na sua conta. Os códigos de recuperação deixaram de valer.",
      },
      recovery_codes_made: {
        subject: "Você tem novos códigos de recuperação no Selo",
        heading: "Novos códigos de recuperação",
        lead: "Foram gerados dez códigos de recuperação. Os anteriores deixaram de valer.",
      },
      recovery_code_used: {
        subject: "Um código de recuperação do Selo foi usado",
        heading: "Código de recuperação usado",
        lead: "Um código de recuperação foi usado no lugar do código do seu aplicativo autenticador. Ele já não vale.",
      },
      passkey_added: {
        subject: "Você tem uma nova chave de acesso no Selo",
        heading: "Nova chave de acesso",
        lead: "A partir de agora, uma nova chave de acesso entra na sua conta, sem a senha. As suas outras sessões foram encerradas.",
      },
      passkey_removed: {
        subject: "Uma chave de acesso do Selo foi removida",
        heading: "Chave de acesso removida",
        lead: "Uma das suas chaves de acesso já não entra na sua conta. As suas outras sessões foram encerradas.",
      },
      factor_taken_off: {
        subject: "Você retirou um segundo fator no Selo",
        heading: "Você retirou um segundo fator",
        lead: `Você retirou o segundo fator de ${member}: agora a senha basta para entrar na conta.`,
      },
    }[change],
    isOwn: change !== "factor_taken_off",
  }),
};
