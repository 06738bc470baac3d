import { z } from "zod";
import { type MailLanguage, type MailWords, preparedMailKind } from "../platform/mails/mail-kind.ts";
import { DataKeys } from "./operations/data-keys.ts";
import { codeDigest, openCode } from "./operations/signing-codes.ts";

const read = z.object({ enciphered_code: z.base64(), title: z.string() }).nullable();

interface CodeFacts {
  readonly code: string;
  readonly title: string;
  readonly organization: string;
  readonly path: string;
  readonly where: readonly [string, string];
}

const words: Readonly<Record<MailLanguage, (facts: CodeFacts) => MailWords>> = {
  en: ({ code, title, organization, path, where }) => ({
    subject: `${code} is your code for ${title}`,
    preheader: "Type it within 10 minutes, on the page that asked for it.",
    heading: `Your code: ${code}`,
    lead: [
      `Type this code on the page that asked for it. It opens the documents that ${organization} sent you.`,
      "The code is good for 10 minutes and can be used once.",
    ],
    facts: [["Envelope", title], where],
    button: { label: "Open the signing page", path },
    note: "Give the code to nobody: nobody from Selo asks for it. If you did not ask for a code, do nothing.",
    code,
    reason: `You get this mail because somebody with the signing link that ${organization} sent you asked for a code.`,
  }),
  "pt-BR": ({ code, title, organization, path, where }) => ({
    subject: `${code} é o seu código para ${title}`,
    preheader: "Digite o código em até 10 minutos, na página que o pediu.",
    heading: `Seu código: ${code}`,
    lead: [
      `Digite este código na página que o pediu. Ele abre os documentos que ${organization} enviou a você.`,
      "O código vale por 10 minutos e só pode ser usado uma vez.",
    ],
    facts: [["Envelope", title], where],
    button: { label: "Abrir a página de assinatura", path },
    note: "Não passe o código a ninguém: o Selo nunca o pede. Se você não pediu um código, não faça nada.",
    code,
    reason: `Você recebe este e-mail porque alguém com o link de assinatura que ${organization} enviou a você pediu um código.`,
  }),
};

/** The mail of a one-time code. Its row has neither the code nor the title; a code that was used, replaced or is late is not mailed. */
export const signingCodeMail = preparedMailKind(
  z.object({ participant_id: z.uuid(), code_id: z.uuid() }),
  async ({ code_id }, place, { jobs, masterKeys }) => {
    const found = read.parse(await jobs.call(place, "read_signing_code", { code_id }));
    const dataKey = found && (await new DataKeys(masterKeys).ofEnvironment(jobs, place));
    if (!found || !dataKey) return null;
    const code = openCode(dataKey, found.enciphered_code, code_id);
    // From here on the code can be tried.
    const bound = await jobs.call(place, "bind_signing_code", { code_id, digest: codeDigest(dataKey, code, code_id) });
    return bound === null ? null : { code, title: found.title };
  },
  ({ participant_id, code, title }, { organization, where }, language) =>
    words[language]({ code, title, organization, path: `/sign/${participant_id}`, where }),
);
