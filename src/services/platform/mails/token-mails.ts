import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailKind,
  type MailWords,
  mailInstant,
  mailKind,
} from "../../../surfaces/mail/mail-kind.ts";

const created = z.object({
  name: z.string(),
  prefix: z.string(),
  // Missing in mails that were written before v0.3.0.
  scopes: z.array(z.string()).optional(),
  expires_at: mailInstant.nullish(),
});

const revoked = created.pick({ name: true, prefix: true });

/** The label and value, or nothing without a value. */
const factIf = (label: string, value: string | null | undefined): MailWords["facts"] =>
  value === null || value === undefined ? [] : [[label, value]];

export const tokenMails: Readonly<Record<string, MailKind>> = {
  token_created: mailKind(created, (token, { organization, at, local, where }, language) => {
    const scopes = token.scopes?.join(", ");
    const expires = token.expires_at && local(token.expires_at);
    const path = "/guides/tokens#revoke-a-token";
    return language === "en"
      ? {
          subject: `New API token: ${token.name}`,
          preheader: "If nobody on your team asked for it, have it revoked at once.",
          heading: `A new API token for ${organization}`,
          lead: [
            `The token “${token.name}” was created on ${at}.`,
            "A program that holds it can use the API in the name of your organization.",
          ],
          facts: [
            ["Name", token.name],
            ["Begins with", token.prefix],
            ...factIf("Scopes", scopes),
            ...factIf("Valid until", expires),
            where,
          ],
          button: { label: "See how to revoke it", path },
          note: "Did nobody on your team ask for this token? Ask the operator of this service to revoke it at once.",
        }
      : {
          subject: `Novo token de API: ${token.name}`,
          preheader: "Se ninguém da sua equipe pediu, peça logo a revogação.",
          heading: `Um novo token de API para ${organization}`,
          lead: [
            `O token “${token.name}” foi criado em ${at}.`,
            "Com ele, um programa pode usar a API em nome da sua organização.",
          ],
          facts: [
            ["Nome", token.name],
            ["Começa com", token.prefix],
            ...factIf("Permissões", scopes),
            ...factIf("Vale até", expires),
            where,
          ],
          button: { label: "Ver como revogar", path },
          note: `Ninguém da sua equipe pediu este token? Peça agora mesmo a quem opera este serviço que o revogue. ${GUIDE_IS_ENGLISH}`,
        };
  }),
  token_revoked: mailKind(revoked, (token, { at, where }, language) => {
    const path = "/guides/tokens#make-an-organization-and-a-token";
    return language === "en"
      ? {
          subject: `API token revoked: ${token.name}`,
          preheader: "Requests with it are refused. Your other tokens still work.",
          heading: "An API token was revoked",
          lead: [
            `The token “${token.name}” was revoked on ${at}.`,
            "Since then, requests with it are refused with error 401. Your other tokens still work.",
          ],
          facts: [["Name", token.name], ["Begins with", token.prefix], where],
          button: { label: "See how to make a new token", path },
          note: "Programs that still use this token need another one.",
        }
      : {
          subject: `Token de API revogado: ${token.name}`,
          preheader: "Requisições com ele são recusadas. Os outros tokens continuam valendo.",
          heading: "Um token de API foi revogado",
          lead: [
            `O token “${token.name}” foi revogado em ${at}.`,
            "Desde então, requisições com ele são recusadas com o erro 401. Os outros tokens continuam valendo.",
          ],
          facts: [["Nome", token.name], ["Começa com", token.prefix], where],
          button: { label: "Ver como criar outro token", path },
          note: `Os programas que ainda usam este token precisam de outro. ${GUIDE_IS_ENGLISH}`,
        };
  }),
};
