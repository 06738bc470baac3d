/** The words of a receipt. */
export interface ReceiptTexts {
  readonly title: string;
  readonly subtitle: string;
  readonly organization: string;
  readonly label: string;
  readonly noLabel: string;
  readonly digest: string;
  readonly registeredAt: string;
  /** Formats a clock's reading, such as 2026-11-20T09:34:56.123456, as people write it. */
  readonly date: (localTime: string) => string;
  readonly code: string;
  readonly keys: string;
  readonly payload: string;
  readonly howToVerify: string;
  readonly instructions: readonly string[];
  readonly scope: string;
  readonly test: string;
  readonly testNotice: string;
  readonly attachment: string;
}

const dateInPortuguese = dateIn("pt-BR");

export const receiptTexts: Readonly<Record<"pt-BR" | "en", ReceiptTexts>> = {
  en: {
    title: "Proof of existence",
    subtitle: "A file with this digest existed at this instant.",
    organization: "Registered by",
    label: "Label",
    noLabel: "none",
    digest: "SHA-256 digest",
    registeredAt: "Registered at",
    date: dateIn("en-GB"),
    code: "Verification code",
    keys: "Platform keys",
    payload: "Signed payload (canonical JSON)",
    howToVerify: "How to verify",
    instructions: [
      "1. Open the address above, or scan the QR code, and drop the file. It is hashed in your browser and never uploaded.",
      "2. Or drop this PDF on the verification page: it carries evidence.json, with the payload, both signatures and the keys.",
      "3. Or check it without a network, with the verifier and the keys from the verification page: node selo-verify.mjs FILE --receipt THIS.pdf --keys KEYS.json",
      "Both signatures, Ed25519 and ML-DSA-87 (FIPS 204), must verify over the UTF-8 bytes of the payload. The printed text is for reading; only the attachment counts.",
    ],
    scope:
      "The instant is from the server's clock, not from an accredited time authority. Authorship and content are not attested.",
    test: "TEST",
    testNotice: "Made in the test environment: it proves nothing.",
    attachment: "Payload, signatures and keys of this proof",
  },
  "pt-BR": {
    title: "Prova de existência",
    subtitle: "Um arquivo com este hash (resumo criptográfico) já existia nesta data e hora.",
    organization: "Registrada por",
    label: "Descrição",
    noLabel: "nenhuma",
    digest: "Hash SHA-256",
    registeredAt: "Registrada em",
    // In Portuguese the first of a month is an ordinal.
    date: (localTime) => dateInPortuguese(localTime).replace(/^1 /, "1º "),
    code: "Código de verificação",
    keys: "Chaves da plataforma",
    payload: "Conteúdo assinado (JSON canônico)",
    howToVerify: "Como verificar",
    instructions: [
      "1. Abra o endereço acima, ou leia o QR Code, e solte o arquivo na página. O hash é calculado no navegador; o arquivo nunca é enviado.",
      "2. Ou solte este PDF na página de verificação: ele contém o anexo evidence.json, com o conteúdo, as duas assinaturas e as chaves.",
      "3. Ou confira sem internet, com o verificador e as chaves da página de verificação: node selo-verify.mjs ARQUIVO --receipt ESTE.pdf --keys CHAVES.json",
      "As duas assinaturas, Ed25519 e ML-DSA-87 (FIPS 204), devem ser válidas para os bytes UTF-8 do conteúdo. O texto impresso serve para leitura; só o anexo vale como prova.",
    ],
    scope:
      "A data e a hora são as do relógio do servidor, não as de uma autoridade de carimbo do tempo credenciada pela ICP-Brasil. Autoria e conteúdo não são atestados.",
    test: "TESTE",
    testNotice: "Feita no ambiente de teste: não prova nada.",
    attachment: "Conteúdo, assinaturas e chaves desta prova",
  },
};

/** Formats the fields as they are written; this machine's time zone has no influence. */
function dateIn(locale: string): (localTime: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (localTime) => `${format.format(new Date(`${localTime.slice(0, 10)}T00:00:00Z`))}, ${localTime.slice(11, 19)}`;
}
