import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { GUIDE_IS_ENGLISH, type MailKind, mailKind } from "../../../surfaces/mail/mail-kind.ts";

const disabled = z.object({
  id: z.uuid(),
  name: z.string(),
  endpoint: z.string(),
  bucket: z.string(),
  /** What the storage answered. */
  status: z.int(),
  /** The storage's own word, such as AccessDenied, or ours. */
  code: z.string(),
});

const PATH = "/guides/connectors#enable-a-disabled-connector";

/** Mails about connectors. */
export const connectorMails: Readonly<Record<string, MailKind>> = {
  connector_disabled: mailKind(disabled, ({ id, name, endpoint, bucket, status, code }, { at, where }, language) => {
    const word = /^[A-Z]/.test(code) ? `(${code})` : undefined;
    const answer = [status, STATUS_CODES[status], word].filter((part) => part !== undefined).join(" ");
    return language === "en"
      ? {
          subject: `Connector disabled: ${name}`,
          preheader: "Nothing is delivered to it for now. What waits is kept.",
          heading: `The connector ${name} was disabled`,
          lead: [
            `The storage answered ${answer}: it refuses the access key, the region or the bucket. Therefore Selo disabled the connector.`,
            "What waits is delivered once you enable the connector. Packages of envelopes that are completed until then can be replayed for 90 days.",
          ],
          facts: [
            ["Connector", name],
            ["ID of the connector", id],
            ["Address", endpoint],
            ["Bucket", bucket],
            ["Answer", answer],
            ["Disabled on", at],
            where,
          ],
          button: { label: "See how to enable it again", path: PATH },
          note: "Before you enable it, correct what the storage refuses, and test the connector.",
        }
      : {
          subject: `Conector desativado: ${name}`,
          preheader: "Por enquanto, nada é entregue a ele. As entregas pendentes ficam guardadas.",
          heading: `O conector ${name} foi desativado`,
          lead: [
            `O armazenamento respondeu ${answer}: ele recusa a chave de acesso, a região ou o bucket. Por isso, o Selo desativou o conector.`,
            "As entregas pendentes serão enviadas quando você reativar o conector. Os pacotes dos envelopes concluídos até lá ainda poderão ser enviados por 90 dias.",
          ],
          facts: [
            ["Conector", name],
            ["ID do conector", id],
            ["Endereço", endpoint],
            ["Bucket", bucket],
            ["Resposta", answer],
            ["Desativado em", at],
            where,
          ],
          button: { label: "Ver como reativar", path: PATH },
          note: `Antes de reativar, corrija o que o armazenamento recusa e teste o conector. ${GUIDE_IS_ENGLISH}`,
        };
  }),
};
