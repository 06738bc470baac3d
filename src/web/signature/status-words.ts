import { serviceWords } from "../site/service-words.ts";
import type { StatusWordsOf } from "../site/status-words.ts";

export const statusWords: StatusWordsOf = {
  en: {
    services: [
      {
        name: "proofs",
        heading: serviceWords.en.proofs.heading,
        ok: "Files can be registered, and proofs verified.",
        failed: "Registering and verifying may fail.",
      },
      {
        name: "signatures",
        heading: serviceWords.en.signatures.heading,
        ok: "Documents can be sent, signed and downloaded.",
        part: "Documents can be signed and downloaded, but no new ones can be uploaded.",
        failed: "Sending and signing may fail. What is signed stays signed.",
      },
    ],
    checks: [
      {
        name: "certificates",
        heading: "The certificates",
        ok: "Signed documents can be completed.",
        failed: "Cannot be used. Signed documents cannot be completed.",
      },
    ],
    components: [
      {
        name: "certificates",
        heading: "The certificates",
        whole: "Could not be used. Signed documents had to wait for their completion.",
      },
    ],
  },
  "pt-BR": {
    services: [
      {
        name: "proofs",
        heading: serviceWords["pt-BR"].proofs.heading,
        ok: "Dá para registrar arquivos e verificar provas.",
        failed: "Registrar e verificar pode falhar.",
      },
      {
        name: "signatures",
        heading: serviceWords["pt-BR"].signatures.heading,
        ok: "Dá para enviar, assinar e baixar documentos.",
        part: "Dá para assinar e baixar documentos, mas não para enviar novos.",
        failed: "Enviar e assinar pode falhar. O que já foi assinado continua assinado.",
      },
    ],
    checks: [
      {
        name: "certificates",
        heading: "Os certificados",
        ok: "Documentos assinados podem ser concluídos.",
        failed: "Não podem ser usados. Documentos assinados não podem ser concluídos.",
      },
    ],
    components: [
      {
        name: "certificates",
        heading: "Os certificados",
        whole: "Não podiam ser usados. A conclusão de documentos assinados teve de esperar.",
      },
    ],
  },
};
