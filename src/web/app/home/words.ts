import type { WordsOf } from "../words-of.ts";

const en = {
  title: "Overview",
  lead: "{organization}, in the live environment.",
  leadTest: "The test environment: try everything before it counts.",
  guides: "Guides",
  guide: {
    signatures: ["Signatures", "From the PDF to the signed document"],
    proofs: ["Proofs", "That the file existed on this date"],
    dns: ["DNS", "Point a domain here"],
    webhooks: ["Webhooks", "Notices for your systems"],
  },
  tryIt:
    "**To try things out, go to Test** at the top of the page. Nothing counts there, nothing is charged and no e-mail is sent.",
  ready: "**Ready for real?** Go to Live at the top of the page. What was made here stays here.",
};
const ptBr: WordsOf<typeof en> = {
  title: "Visão geral",
  lead: "{organization}, em produção.",
  leadTest: "Ambiente de teste: experimente tudo antes de valer.",
  guides: "Guias",
  guide: {
    signatures: ["Assinaturas", "Do PDF ao documento assinado"],
    proofs: ["Provas", "Que o arquivo existia nesta data"],
    dns: ["DNS", "Apontar um domínio para cá"],
    webhooks: ["Webhooks", "Avisos para os seus sistemas"],
  },
  tryIt: "**Para experimentar, mude para Teste** no alto da página. Lá nada vale, nada é cobrado e nenhum e-mail sai.",
  ready: "**Pronto para valer?** Mude para Produção no alto da página. O que foi feito aqui fica aqui.",
};
export const homeWords = { en, "pt-BR": ptBr };
