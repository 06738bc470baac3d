import type { Language } from "../shell/language.ts";

interface Step {
  readonly heading: string;
  readonly text: string;
}

interface Audience {
  readonly heading: string;
  readonly text: string;
  readonly code: string;
  readonly codeLanguage: "sh" | "graphql" | "sql";
  readonly href: string;
  readonly link: string;
}

export interface LandingWords {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly start: string;
  readonly verify: string;
  readonly slip: {
    readonly label: string;
    /** Before a date. */
    readonly on: string;
    /** The time zone of dates, behind the time. */
    readonly zone: string;
    readonly code: string;
    readonly qr: string;
    readonly trySample: string;
    readonly download: string;
    readonly open: string;
    /** Shown if the deployment has no sample proof of its own: what the verifier says about /sample/evidence.json. */
    readonly offline: {
      readonly label: string;
      readonly matches: string;
      readonly registeredBy: string;
      readonly time: string;
      readonly example: string;
      readonly tryIt: string;
      readonly toSample: string;
    };
  };
  readonly how: {
    readonly heading: string;
    readonly lead: string;
    readonly steps: readonly Step[];
    readonly sample: { readonly heading: string; readonly text: string; readonly keys: string };
    readonly limit: string;
    readonly trust: string;
  };
  readonly doors: { readonly heading: string; readonly lead: string; readonly audiences: readonly Audience[] };
}

const rest = (file: string) => `curl -F file=@${file} \\
  -H "Authorization: Bearer $TOKEN" \\
  $URL/api/v1/proofs/files

# 201 Created
{ "verification_code":
    "GNS2-HPXT-CF41",
  "registered_at":
    "2026-11-21T22:23:34…Z", … }`;

const GRAPHQL = `query {
  proofs(first: 10) {
    nodes {
      fileName
      registeredAt
      verifyUrl
    }
  }
}`;

const SQL = `select registered_at::date as day,
       count(*)
  from api.proofs
 group by day
 order by day;`;

export const landingWords: Readonly<Record<Language, LandingWords>> = {
  en: {
    title: "Selo: signatures and proofs that anyone can verify",
    heading: "Signatures and proofs that anyone can verify, even offline.",
    lead: "Selo records who did what, and when, under two signatures. Anyone can verify them on their own computer: without an account, without a network, and without asking us.",
    start: "Start with the guide",
    verify: "Verify a proof",
    slip: {
      label: "A sample proof",
      on: "on",
      zone: " UTC",
      code: "Verification code",
      qr: "QR Code of the sample proof’s address",
      trySample: "A sample proof to try now: download its file, open the proof, and drop the file there.",
      download: "Download contract.txt",
      open: "Open the sample proof",
      offline: {
        label: "A sample proof",
        matches: "Matches",
        registeredBy: "was registered by",
        time: "22 November 2026 at 23:47",
        example: "An example, which you can verify yourself.",
        tryIt: "A sample proof to try now needs neither an account nor a network.",
        toSample: "Try the sample proof",
      },
    },
    how: {
      heading: "How it is verified",
      lead: "In three steps, on your own computer.",
      steps: [
        {
          heading: "The file",
          text: "Its fingerprint (SHA-256) is computed on your device and compared with the registered one. The file goes nowhere.",
        },
        {
          heading: "The signatures",
          text: "Two, Ed25519 and ML-DSA-87, both required. The second also withstands quantum computers.",
        },
        {
          heading: "The record",
          text: "The public record must say the same. Without a network, the receipt and the keys are enough.",
        },
      ],
      sample: {
        heading: "Try it now, with a sample",
        text: "The verifier is one file for Node 20 or later. Download these four files into one folder and run the command:",
        keys: "It ends with “PROVED”. Change one letter in contract.txt, and it ends with “FAILED”. The keys of the sample sign nothing else.",
      },
      limit:
        "A proof shows that a file existed, not who wrote it or that it is true. The time comes from our server’s clock.",
      trust: "What a proof shows and what it does not",
    },
    doors: {
      heading: "Three doors, one contract",
      lead: "The same data under the same rights, whichever way you come.",
      audiences: [
        {
          heading: "Integrators: REST",
          text: "Any language with HTTP. OpenAPI 3.1, and requests that can be repeated safely.",
          code: rest("contract.pdf"),
          codeLanguage: "sh",
          href: "/docs",
          link: "The REST API",
        },
        {
          heading: "Frontends: GraphQL",
          text: "Ask for exactly the fields that a page shows.",
          code: GRAPHQL,
          codeLanguage: "graphql",
          href: "/guides/graphql",
          link: "Begin with GraphQL",
        },
        {
          heading: "Analysts: SQL",
          text: "Your own read-only Postgres login, for any tool.",
          code: SQL,
          codeLanguage: "sql",
          href: "/guides/analysts",
          link: "Ask in SQL",
        },
      ],
    },
  },
  "pt-BR": {
    title: "Selo: assinaturas e provas que qualquer pessoa pode verificar",
    heading: "Assinaturas e provas que qualquer pessoa pode verificar, até sem internet.",
    lead: "O Selo registra quem fez o quê, e quando, com duas assinaturas digitais. Quem duvidar verifica tudo no próprio computador: sem conta, sem rede e sem nos perguntar nada.",
    start: "Começar pelo guia",
    verify: "Verificar uma prova",
    slip: {
      label: "Uma prova de exemplo",
      on: "em",
      zone: " (horário de Brasília)",
      code: "Código de verificação",
      qr: "QR Code do endereço da prova de exemplo",
      trySample:
        "Uma prova de exemplo para experimentar já: baixe o arquivo, abra a prova e solte o arquivo na página.",
      download: "Baixar contract.txt",
      open: "Abrir a prova de exemplo",
      offline: {
        label: "Uma prova de exemplo",
        matches: "Confere",
        registeredBy: "foi registrado por",
        time: "22 de novembro de 2026 às 20:47",
        example: "Um exemplo, que você mesmo pode verificar.",
        tryIt: "Há uma prova de exemplo para experimentar já, sem conta e sem internet.",
        toSample: "Experimentar a prova de exemplo",
      },
    },
    how: {
      heading: "Como se verifica",
      lead: "Em três passos, no seu próprio computador.",
      steps: [
        {
          heading: "O arquivo",
          text: "A impressão digital (SHA-256) é calculada no seu dispositivo e comparada com a registrada. O arquivo não vai a lugar algum.",
        },
        {
          heading: "As assinaturas",
          text: "Duas, Ed25519 e ML-DSA-87, ambas obrigatórias. A segunda resiste também a computadores quânticos.",
        },
        {
          heading: "O registro",
          text: "O registro público tem de dizer o mesmo. Sem rede, bastam o recibo e as chaves.",
        },
      ],
      sample: {
        heading: "Experimente já, com um exemplo",
        text: "O verificador é um único arquivo, para Node 20 ou mais novo. Baixe estes quatro arquivos para a mesma pasta e rode o comando:",
        keys: "No fim aparece “PROVED”. Troque uma letra em contract.txt e o resultado será “FAILED”. As chaves do exemplo não assinam mais nada.",
      },
      limit:
        "Uma prova mostra que um arquivo existia, não quem o escreveu nem que é verdade. A hora vem do relógio do nosso servidor.",
      trust: "O que uma prova mostra e o que não mostra",
    },
    doors: {
      heading: "Três portas, um só contrato",
      lead: "Os mesmos dados, com os mesmos direitos, por qualquer uma das portas.",
      audiences: [
        {
          heading: "Integração: REST",
          text: "Qualquer linguagem com HTTP. OpenAPI 3.1, e requisições que podem ser repetidas sem risco.",
          code: rest("contrato.pdf"),
          codeLanguage: "sh",
          href: "/docs",
          link: "A API REST",
        },
        {
          heading: "Interfaces: GraphQL",
          text: "Peça exatamente os campos que a página mostra.",
          code: GRAPHQL,
          codeLanguage: "graphql",
          href: "/guides/graphql",
          link: "Começar com GraphQL",
        },
        {
          heading: "Análise: SQL",
          text: "Um acesso próprio ao Postgres, só de leitura, para qualquer ferramenta.",
          code: SQL,
          codeLanguage: "sql",
          href: "/guides/analysts",
          link: "Consultar em SQL",
        },
      ],
    },
  },
};
