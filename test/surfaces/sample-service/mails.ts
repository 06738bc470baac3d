import { z } from "zod";
import { type MailKind, mailKind } from "../../../src/surfaces/mail/mail-kind.ts";

const due = z.object({ text: z.string() });

export const noteMails: Readonly<Record<string, MailKind>> = {
  note_due: mailKind(due, ({ text }, { organization, at, where }, language) =>
    language === "en"
      ? {
          subject: `A note of ${organization} is due`,
          preheader: "You wanted to be reminded.",
          heading: "A note is due",
          lead: [`You wanted to be reminded of this note on ${at}.`],
          facts: [["Note", text], where],
          button: { label: "Read the guides", path: "/guides" },
          note: "Selo sends no other mail about this note.",
        }
      : {
          subject: `Uma nota venceu: ${organization}`,
          preheader: "Você pediu este lembrete.",
          heading: "Uma nota venceu",
          lead: [`Você pediu para ser lembrado desta nota em ${at}.`],
          facts: [["Nota", text], where],
          button: { label: "Ler os guias", path: "/guides" },
          note: "Este é o único lembrete desta nota.",
        },
  ),
};
