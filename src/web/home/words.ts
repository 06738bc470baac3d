import type { Language } from "../shell/language.ts";

export interface HomeWords {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly verifyHeading: string;
  readonly verifyFile: string;
  readonly whatHeading: string;
  readonly what: readonly { readonly term: string; readonly text: string }[];
  readonly linksHeading: string;
  readonly links: readonly { readonly href: string; readonly name: string; readonly text: string }[];
}

export const homeWords: Readonly<Record<Language, HomeWords>> = {
  en: {
    title: "Selo: proofs of existence",
    heading: "Proof that a file existed",
    lead: "With two signatures, Selo seals the digest of a file, the instant and the name of the organization that registered it. Anyone can check the proof, without an account and without trusting Selo.",
    verifyHeading: "Verify a proof",
    verifyFile: "Or verify with a file or a receipt",
    whatHeading: "What this service offers",
    what: [
      {
        term: "Proofs of existence",
        text: "A file with this SHA-256 digest existed at this instant. The file itself is never stored.",
      },
      {
        term: "Two signatures, both required",
        text: "Ed25519, and ML-DSA-87, which also withstands quantum computers.",
      },
      {
        term: "Checked in your browser",
        text: "The verification page hashes your file and checks the signatures on your device. Files are not uploaded.",
      },
    ],
    linksHeading: "For developers and operators",
    links: [
      { href: "/guides", name: "Guides", text: "What to do, task by task" },
      { href: "/docs", name: "API reference", text: "REST, with examples" },
      { href: "/graphiql", name: "GraphiQL", text: "Explore the GraphQL API" },
      { href: "/readyz", name: "Status", text: "Whether this service is ready" },
    ],
  },
  "pt-BR": {
    title: "Selo: provas de existência",
    heading: "Prova de que um arquivo já existia",
    lead: "Com duas assinaturas, o Selo sela o hash (resumo criptográfico) de um arquivo, a data, a hora e o nome da organização que o registrou. Qualquer pessoa pode conferir a prova, sem conta e sem precisar confiar no Selo.",
    verifyHeading: "Verificar uma prova",
    verifyFile: "Ou verifique com um arquivo ou recibo",
    whatHeading: "O que este serviço oferece",
    what: [
      {
        term: "Provas de existência",
        text: "Um arquivo com este hash SHA-256 já existia nesta data e hora. O arquivo em si nunca é armazenado.",
      },
      {
        term: "Duas assinaturas, ambas exigidas",
        text: "Ed25519 e ML-DSA-87, que também resiste a computadores quânticos.",
      },
      {
        term: "Conferido no seu navegador",
        text: "A página de verificação calcula o hash do arquivo e confere as assinaturas no seu dispositivo. Nenhum arquivo é enviado.",
      },
    ],
    linksHeading: "Para desenvolvedores e operadores",
    links: [
      { href: "/guides", name: "Guias", text: "O que fazer, tarefa por tarefa (em inglês)" },
      { href: "/docs", name: "Referência da API", text: "REST, com exemplos" },
      { href: "/graphiql", name: "GraphiQL", text: "Explorar a API GraphQL" },
      { href: "/readyz", name: "Situação", text: "Se o serviço está pronto para uso" },
    ],
  },
};
