import { z } from "zod";
import { type MailKind, mailKind, oneLine } from "../../../src/services/platform/mails/mail-kind.ts";

const due = z.object({ text: z.string() });

export const noteMails: Readonly<Record<string, MailKind>> = {
  note_due: mailKind(due, ({ text }, { organization, at }, language) =>
    language === "en"
      ? {
          subject: `A note of ${organization} is due`,
          lead: "You wanted to be reminded of a note.",
          facts: [
            ["Note", oneLine(text)],
            ["Due", at],
          ],
          closing: "Nothing more is sent about it.",
        }
      : {
          subject: `Uma nota de ${organization} venceu`,
          lead: "Você quis ser lembrado de uma nota.",
          facts: [
            ["Nota", oneLine(text)],
            ["Vencimento", at],
          ],
          closing: "Nada mais será enviado sobre ela.",
        },
  ),
};
