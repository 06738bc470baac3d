import type { Language } from "../shell/language.ts";

/** A modality of the law. */
interface Modality {
  readonly name: string;
  readonly text: string;
  readonly articles: readonly Article[];
}

interface Article {
  readonly name: string;
  readonly href: string;
}

export interface TrustWords {
  readonly title: string;
  readonly description: string;
  readonly heading: string;
  readonly lead: string;
  readonly shows: { readonly heading: string; readonly items: readonly string[] };
  readonly showsNot: { readonly heading: string; readonly items: readonly string[] };
  readonly law: {
    readonly heading: string;
    readonly ownReading: string;
    readonly lead: string;
    readonly caption: string;
    readonly columns: readonly [string, string, string];
    readonly modalities: readonly Modality[];
    readonly where: string;
    readonly proof: string;
    readonly signing: string;
  };
  readonly keys: {
    readonly heading: string;
    readonly text: readonly string[];
    readonly download: string;
    readonly list: string;
    readonly live: string;
    readonly test: string;
    readonly retired: string;
    readonly since: string;
    readonly none: string;
    readonly id: string;
  };
  readonly more: {
    readonly heading: string;
    readonly links: readonly { readonly href: string; readonly text: string }[];
  };
}

const LAW = "https://www.planalto.gov.br/ccivil_03/_ato2019-2022/2020/lei/l14063.htm";
const ACT = "https://www.planalto.gov.br/ccivil_03/mpv/antigas_2001/2200-2.htm";

export const trustWords: Readonly<Record<Language, TrustWords>> = {
  en: {
    title: "What a proof shows and what it does not · Selo",
    description:
      "What a proof of existence shows, what Brazilian law calls electronic signatures, and the public keys to keep.",
    heading: "What a proof shows, and what it does not",
    lead: "You need not believe us. You need to know what you are looking at, and to keep our public keys.",
    shows: {
      heading: "A proof shows",
      items: [
        "that a file with exactly these bytes existed when it was registered: one changed letter, and it no longer matches;",
        "which organization registered it with us;",
        "the date and time of our server’s clock at that moment;",
        "that nobody changed these statements afterwards, as long as one of the two signatures holds.",
      ],
    },
    showsNot: {
      heading: "A proof does not show",
      items: [
        "who wrote the file, or who agreed to what it says;",
        "that what the file says is true;",
        "that nobody had the file before;",
        "a time that somebody else vouches for: no accredited time authority confirms our clock;",
        "that a person signed: a proof is not an electronic signature.",
      ],
    },
    law: {
      heading: "What Brazilian law calls electronic signatures",
      ownReading:
        "This is our own reading of the articles, as a help for readers. It is not legal advice, and no lawyer has reviewed it yet.",
      lead: "The law knows three kinds. Each links to its article, in Portuguese.",
      caption: "The three kinds of electronic signatures",
      columns: ["Kind", "What it asks for", "Where it stands"],
      modalities: [
        {
          name: "Simple",
          text: "It lets the signer be identified, and attaches or associates data with the signer’s other electronic data.",
          articles: [{ name: "Law 14.063/2020, article 4, I", href: `${LAW}#art4` }],
        },
        {
          name: "Advanced",
          text: "It uses a certificate from outside ICP-Brasil, or another means of showing authorship and integrity that the parties accept. It belongs to one signer alone, is made under the signer’s own control, and shows any later change.",
          articles: [{ name: "Law 14.063/2020, article 4, II", href: `${LAW}#art4` }],
        },
        {
          name: "Qualified",
          text: "It uses a digital certificate of ICP-Brasil. What is signed this way is presumed true towards those who signed.",
          articles: [
            { name: "Law 14.063/2020, article 4, III", href: `${LAW}#art4` },
            { name: "Provisional Measure 2.200-2/2001, article 10, § 1", href: `${ACT}#art10` },
          ],
        },
      ],
      where:
        "Article 4 speaks of dealings with public bodies. Between private parties, article 10, § 2, of the Provisional Measure also admits other means, if the parties accept them.",
      proof:
        "A proof of existence is none of the three: it says nothing about a person who signs. The two signatures on it are ours. They protect what we state about the file; they are not those of an author.",
      signing:
        "Signatures that people make with Selo are simple or advanced, as the sender chooses, and their evidence report names the kind. Who signs is shown by a link and a one-time code sent to their e-mail address, without a certificate of ICP-Brasil, so none of them is qualified.",
    },
    keys: {
      heading: "Keys to keep",
      text: [
        "Both signatures on a proof are verified with our public keys. Keys that we hand out together with a proof prove nothing against us: a forger would hand out their own.",
        "So get the keys now, while you have no reason to doubt, keep them where only you can change them, and compare them with those that others keep.",
      ],
      download: "Download the keys (JSON)",
      list: "The keys of this server",
      live: "Proofs that count",
      test: "Test proofs",
      retired: "No longer signs",
      since: "since",
      none: "The list could not be read now. The download above has the same keys.",
      id: "The name of a key is computed from the key itself: the algorithm, and the first 16 digits of its fingerprint (SHA-256).",
    },
    more: {
      heading: "Read on",
      links: [
        { href: "/guides/verifying", text: "Verify a proof, also offline" },
        { href: "/guides/security-model", text: "What Selo protects, and what it cannot" },
        { href: "/guides/proof-format", text: "The proof format, to write your own verifier" },
      ],
    },
  },
  "pt-BR": {
    title: "O que uma prova mostra e o que não mostra · Selo",
    description:
      "O que uma prova de existência mostra, o que a lei brasileira chama de assinatura eletrônica e as chaves públicas para guardar.",
    heading: "O que uma prova mostra e o que não mostra",
    lead: "Não é preciso acreditar em nós. É preciso saber o que se tem em mãos e guardar as nossas chaves públicas.",
    shows: {
      heading: "Uma prova mostra",
      items: [
        "que um arquivo com exatamente esses bytes existia quando foi registrado: basta mudar uma letra para não ser mais o mesmo;",
        "qual organização o registrou conosco;",
        "a data e a hora do relógio do nosso servidor naquele momento;",
        "que ninguém mudou essas informações depois, enquanto uma das duas assinaturas resistir.",
      ],
    },
    showsNot: {
      heading: "Uma prova não mostra",
      items: [
        "quem escreveu o arquivo, nem quem concordou com o que está nele;",
        "que o conteúdo do arquivo é verdadeiro;",
        "que ninguém tinha o arquivo antes;",
        "uma hora garantida por terceiros: nenhuma autoridade credenciada de carimbo do tempo confirma o nosso relógio;",
        "que alguém assinou: uma prova não é uma assinatura eletrônica.",
      ],
    },
    law: {
      heading: "O que a lei brasileira chama de assinatura eletrônica",
      ownReading:
        "Esta é a nossa própria leitura dos artigos, para ajudar quem chega. Não é consultoria jurídica, e nenhum advogado a revisou ainda.",
      lead: "A lei brasileira prevê três modalidades de assinatura. Cada uma leva ao seu artigo.",
      caption: "As três modalidades de assinatura eletrônica",
      columns: ["Modalidade", "O que exige", "Onde está"],
      modalities: [
        {
          name: "Simples",
          text: "Permite identificar quem assina e anexa ou associa dados a outros dados eletrônicos dessa pessoa.",
          articles: [{ name: "Lei nº 14.063/2020, art. 4º, I", href: `${LAW}#art4` }],
        },
        {
          name: "Avançada",
          text: "Usa certificado de fora da ICP-Brasil, ou outro meio de comprovar autoria e integridade que as partes aceitem. Está ligada a uma única pessoa, é feita sob o controle dela e revela qualquer mudança posterior.",
          articles: [{ name: "Lei nº 14.063/2020, art. 4º, II", href: `${LAW}#art4` }],
        },
        {
          name: "Qualificada",
          text: "Usa certificado digital da ICP-Brasil. O que se assina assim presume-se verdadeiro em relação a quem assinou.",
          articles: [
            { name: "Lei nº 14.063/2020, art. 4º, III", href: `${LAW}#art4` },
            { name: "Medida Provisória nº 2.200-2/2001, art. 10, § 1º", href: `${ACT}#art10` },
          ],
        },
      ],
      where:
        "O art. 4º trata da relação com órgãos públicos. Entre particulares, o art. 10, § 2º, da Medida Provisória admite também outros meios, desde que as partes os aceitem.",
      proof:
        "Uma prova de existência não é nenhuma das três: nada diz sobre uma pessoa que assina. As duas assinaturas que ela traz são nossas. Protegem o que nós afirmamos sobre o arquivo; não são as do autor.",
      signing:
        "As assinaturas que as pessoas fazem no Selo são simples ou avançadas, conforme quem envia o documento escolher, e o relatório de evidências diz qual foi usada. Quem assina se identifica por um link e um código enviados ao seu e-mail, sem certificado da ICP-Brasil. Por isso, nenhuma delas é qualificada.",
    },
    keys: {
      heading: "Chaves para guardar",
      text: [
        "As duas assinaturas de uma prova se verificam com as nossas chaves públicas. Chaves entregues por nós junto com a prova nada provam contra nós: um falsário entregaria as dele.",
        "Por isso, baixe as chaves agora, enquanto não há motivo para dúvida, guarde-as onde só você possa mexer e compare-as com as que outras pessoas guardam.",
      ],
      download: "Baixar as chaves (JSON)",
      list: "As chaves deste servidor",
      live: "Provas que valem",
      test: "Provas de teste",
      retired: "Não assina mais",
      since: "desde",
      none: "Não foi possível ler a lista agora. O arquivo acima traz as mesmas chaves.",
      id: "O nome de uma chave é calculado a partir da própria chave: o algoritmo e os 16 primeiros dígitos da impressão digital (SHA-256).",
    },
    more: {
      heading: "Para continuar",
      links: [
        { href: "/guides/verifying", text: "Verificar uma prova, também sem internet" },
        { href: "/guides/security-model", text: "O que o Selo protege e o que não consegue proteger" },
        { href: "/guides/proof-format", text: "O formato das provas, para escrever o seu próprio verificador" },
      ],
    },
  },
};
