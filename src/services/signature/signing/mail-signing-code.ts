import { z } from "zod";
import {
  type MailLanguage,
  type MailWords,
  mailInstant,
  preparedMailKind,
  type SmsWords,
  strong,
} from "../../../surfaces/mail/mail-kind.ts";
import type { DataKey } from "../documents/data-key.ts";
import { DataKeys } from "../documents/data-keys.ts";
import { openNumber } from "../envelopes/personal-numbers.ts";
import { codeDigest, openCode } from "./signing-codes.ts";

const read = z
  .object({
    enciphered_code: z.base64(),
    title: z.string(),
    expires_at: mailInstant,
    participant_id: z.uuid(),
    enciphered_phone: z.base64().nullable(),
  })
  .nullable();

interface CodeFacts {
  readonly code: string;
  readonly title: string;
  readonly organization: string;
  /** Time of the clock, with its zone. */
  readonly until: string;
}

/** No button: no row has the secret of the link, and the page that asked for the code is open. */
const words: Readonly<Record<MailLanguage, (facts: CodeFacts) => MailWords>> = {
  en: ({ code, title, organization, until }) => ({
    subject: `${code} is your code for ${title}`,
    preheader: `Good until ${until}, on the page that is open.`,
    heading: "Your code",
    code,
    lead: [
      [
        "Go back to the page that is open, and type the code there. It is good until ",
        strong(until),
        ", and only once.",
      ],
    ],
    facts: [
      ["Document", title],
      ["Asked for by", organization],
    ],
    note: "Did you close the page? Open the link of the invitation again: it still works.",
    warning: {
      text: [
        strong("Nobody from Selo asks for this code by e-mail or telephone."),
        " Only the page where you asked for it does. If it was not you who asked, do nothing: nobody opens the document without the code.",
      ],
    },
    isByOrganization: true,
    reason: `You get this mail because somebody with the link that ${organization} sent you asked for a code.`,
  }),
  "pt-BR": ({ code, title, organization, until }) => ({
    subject: `${code} é o seu código para ${title}`,
    preheader: `Vale até ${until}, na página que está aberta.`,
    heading: "Seu código",
    code,
    lead: [["Volte à página que está aberta e digite o código lá. Ele vale até ", strong(until), " e só uma vez."]],
    facts: [
      ["Documento", title],
      ["Pedido por", organization],
    ],
    note: "Fechou a página? Abra de novo o link do convite: ele continua valendo.",
    warning: {
      text: [
        strong("Ninguém do Selo pede este código por e-mail ou telefone."),
        " Só a página em que você o pediu. Se não foi você quem o pediu, não faça nada: sem ele ninguém abre o documento.",
      ],
    },
    isByOrganization: true,
    reason: `Você recebe este e-mail porque alguém com o link que ${organization} enviou a você pediu um código.`,
  }),
};

/** The code comes first, where lists of messages show it, and apart from other digits and letters: telephones propose it. */
const smsWords: Readonly<Record<MailLanguage, (facts: Pick<CodeFacts, "code" | "organization" | "until">) => string>> =
  {
    en: ({ code, organization, until }) =>
      `${code} is your code for the document of ${organization}. Good until ${until}. Share it with nobody.`,
    "pt-BR": ({ code, organization, until }) =>
      `${code} é o seu código para o documento de ${organization}. Vale até ${until}. Não o passe a ninguém.`,
  };

/** The clock without the name of its zone, which the page says: a message is short. */
const withoutZone = (time: string) => time.replace(/ \(.*\)$/, "");

/** The mail or the SMS of a one-time code. Its row has neither the code, nor the number, nor the title; a code that was used, replaced or is late is not sent. */
export const signingCodeMail = preparedMailKind(
  z.object({ participant_id: z.uuid(), code_id: z.uuid(), channel: z.enum(["email", "sms"]).default("email") }),
  async ({ code_id, channel }, place, { jobs, masterKeys }) => {
    const found = read.parse(await jobs.call(place, "read_signing_code", { code_id }));
    const dataKey = found && (await new DataKeys(masterKeys).ofEnvironment(jobs, place));
    if (!found || !dataKey) return null;
    const code = openCode(dataKey, found.enciphered_code, code_id);
    const phone = channel === "sms" ? openPhone(dataKey, found) : null;
    // From here on the code can be tried.
    const bound = await jobs.call(place, "bind_signing_code", { code_id, digest: codeDigest(dataKey, code, code_id) });
    return bound === null ? null : { code, title: found.title, expires_at: found.expires_at, phone };
  },
  ({ code, title, expires_at }, { organization, clock }, language) =>
    words[language]({ code, title, organization, until: clock(expires_at) }),
  ({ code, expires_at, phone }, { clock }, language): SmsWords => {
    if (phone === null) throw new Error("there is no number for an SMS");
    const until = withoutZone(clock(expires_at));
    return { to: phone, code, text: (organization) => smsWords[language]({ code, organization, until }) };
  },
);

/** The number of the participant, as it was given. */
function openPhone(
  dataKey: DataKey,
  { participant_id, enciphered_phone }: NonNullable<z.output<typeof read>>,
): string | null {
  return enciphered_phone === null ? null : openNumber(dataKey, "phone", enciphered_phone, participant_id);
}
