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
});

const PATH = "/guides/connectors#enable-a-disabled-connector";

/** Mails about connectors. */
export const connectorMails: Readonly<Record<string, MailKind>> = {
  connector_disabled: mailKind(disabled, ({ id, name, endpoint, bucket, status }, { at, where }, language) => {
    const answer = [status, STATUS_CODES[status]].filter((part) => part !== undefined).join(" ");
    return language === "en"
      ? {
          subject: `Connector disabled: ${name}`,
          preheader: "Nothing is delivered to it for now. What waits is kept.",
          heading: `The connector ${name} was disabled`,
          lead: [
            `The storage answered ${answer}: it refuses the access key, or has no such bucket. Therefore Selo disabled the connector.`,
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
          note: "Before you enable it, correct the access key or the bucket, and test the connector.",
        }
      : {
          subject: `Conector desativado: ${name}`,
          preheader: "Por enquanto, nada é entregue a ele. O que espera fica guardado.",
          heading: `O conector ${name} foi desativado`,
          lead: [
            `O armazenamento respondeu ${answer}: recusou a chave de acesso, ou o bucket não existe. Por isso, o Selo desativou o conector.`,
            "O que espera será entregue quando você reativar o conector. Os pacotes de envelopes concluídos até lá podem ser reenviados por 90 dias.",
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
          note: `Antes de reativar, corrija a chave de acesso ou o bucket e teste o conector. ${GUIDE_IS_ENGLISH}`,
        };
  }),
};
