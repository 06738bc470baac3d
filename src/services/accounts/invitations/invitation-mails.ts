import { z } from "zod";
import {
  type MailKind,
  type MailLanguage,
  mailInstant,
  mailKind,
  ownerReason,
  preparedMailKind,
  strong,
} from "../../../surfaces/mail/mail-kind.ts";
import { invitationLink, openInvitation } from "./invitation-link.ts";

const ROLES = ["accountant", "member", "admin", "owner"] as const;
type Role = (typeof ROLES)[number];

/** What a role is called in mails, and what it may do. */
const roles: Readonly<Record<MailLanguage, Readonly<Record<Role, readonly [name: string, may: string]>>>> = {
  en: {
    accountant: ["Reads", "sees everything and changes nothing"],
    member: ["Works", "also makes and sends"],
    admin: ["Manages", "also takes care of people, tokens and keys"],
    owner: ["Owns", "also decides on the organization itself"],
  },
  "pt-BR": {
    accountant: ["Consulta", "vê tudo e não muda nada"],
    member: ["Opera", "também cria e envia"],
    admin: ["Administra", "também cuida de pessoas, tokens e chaves"],
    owner: ["Responde", "também decide sobre a própria organização"],
  },
};

const invitation = invitationLink.extend({
  email: z.string(),
  role: z.enum(ROLES),
  inviter: z.string(),
  inviter_email: z.string(),
  expires_at: mailInstant,
});

const newOwner = z.object({ owner: z.string(), owner_email: z.string() });

/** Mails about who belongs to an organization. */
export const invitationMails: Readonly<Record<string, MailKind>> = {
  invitation: preparedMailKind(
    invitation,
    openInvitation,
    ({ email, role, inviter, inviter_email, expires_at, link }, { organization, local }, language) => {
      const [name, may] = roles[language][role];
      const until = local(expires_at);
      return language === "en"
        ? {
            subject: `${organization} invites you to Selo`,
            preheader: `Accept until ${until}. It takes two minutes.`,
            heading: `${organization} invites you to Selo`,
            lead: [["Hello. ", strong(inviter), ` (${organization}) invited you to join the organization at Selo:`]],
            facts: [
              ["What you will be able to do", [strong(name), `: ${may}`]],
              ["Your access", email],
              ["Accept until", until],
            ],
            button: { path: link, label: "See the invitation" },
            note: [
              "If you already use Selo with this address, accept with your usual password. If not, you choose a password on the next page.",
              `The link is yours alone and works once: do not forward this mail. To talk to ${inviter}, write to ${inviter_email}.`,
            ],
            warning: { text: [strong("You do not know the sender?"), " Ignore this mail."], contact: "Tell us" },
            link,
            reason: `${organization} gave us your address.`,
          }
        : {
            subject: `${organization} convida você para o Selo`,
            preheader: `Aceite até ${until}. Leva dois minutos.`,
            heading: `${organization} convida você para o Selo`,
            lead: [["Olá. ", strong(inviter), ` (${organization}) convidou você para entrar na organização no Selo:`]],
            facts: [
              ["O que você poderá fazer", [strong(name), `: ${may}`]],
              ["Seu acesso", email],
              ["Aceite até", until],
            ],
            button: { path: link, label: "Ver o convite" },
            note: [
              "Se você já usa o Selo com este e-mail, aceite com a sua senha de sempre. Se não, você escolhe uma senha na próxima página.",
              `O link é só seu e vale uma vez: não encaminhe este e-mail. Para falar com ${inviter}, escreva para ${inviter_email}.`,
            ],
            warning: { text: [strong("Não conhece quem enviou?"), " Ignore este e-mail."], contact: "Avise-nos" },
            link,
            reason: `O seu endereço foi informado por ${organization}.`,
          };
    },
  ),
  new_owner: mailKind(newOwner, ({ owner, owner_email }, { organization, at, where }, language) =>
    language === "en"
      ? {
          subject: `${organization} has another owner at Selo`,
          preheader: `${owner} can now decide on everything in the organization.`,
          heading: `${organization} has another owner`,
          lead: [
            [
              strong(owner),
              ` is now an owner of ${organization} at Selo: may do everything, also change the organization and its owners.`,
            ],
          ],
          facts: [["Owner", owner_email], ["Since", at], where],
          button: { label: "See the members", path: "/app" },
          note: "If this should not be so, give the person another role, or remove the person, on the page of the members.",
          reason: ownerReason(language, organization),
        }
      : {
          subject: `${organization} tem mais uma pessoa responsável no Selo`,
          preheader: `${owner} agora decide sobre tudo na organização.`,
          heading: `${organization} tem mais uma pessoa responsável`,
          lead: [
            [
              strong(owner),
              ` agora responde por ${organization} no Selo: pode tudo, também mudar a organização e quem responde por ela.`,
            ],
          ],
          facts: [["Pessoa", owner_email], ["Desde", at], where],
          button: { label: "Ver as pessoas", path: "/app" },
          note: "Se não deveria ser assim, mude o papel da pessoa ou remova o acesso dela na página de pessoas.",
          reason: ownerReason(language, organization),
        },
  ),
};
