/** The words of a receipt. */
export interface ReceiptTexts {
  readonly title: string;
  readonly subtitle: string;
  readonly organization: string;
  readonly label: string;
  readonly noLabel: string;
  readonly digest: string;
  readonly registeredAt: string;
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

export const receiptTexts: Readonly<Record<"pt-BR" | "en", ReceiptTexts>> = {
  en: {
    title: "Proof of existence",
    subtitle: "A file with this digest existed at this instant.",
    organization: "Registered by",
    label: "Label",
    noLabel: "none",
    digest: "SHA-256 of the file",
    registeredAt: "Registered at",
    code: "Verification code",
    keys: "Platform keys",
    payload: "Signed payload (canonical JSON)",
    howToVerify: "How to verify",
    instructions: [
      "1. Open the address above, or scan the QR code, and drop the file. It is hashed in your browser and never uploaded.",
      "2. Or drop this PDF on the verification page: it carries evidence.json, with the payload, both signatures and the keys.",
      "3. Or check it without network: selo proof verify FILE --receipt THIS.pdf --keys KEYS.json",
      "Both signatures, Ed25519 and ML-DSA-87 (FIPS 204), must verify over the UTF-8 bytes of the payload. What is printed here is for reading; what is attached is what counts.",
    ],
    scope:
      "The instant is the server's clock, not that of an accredited time authority. Authorship and content are not attested.",
    test: "TEST",
    testNotice: "Made in the test environment: it proves nothing.",
    attachment: "Payload, signatures and keys of this proof",
  },
  "pt-BR": {
    title: "Prova de existência",
    subtitle: "Um arquivo com este resumo existia neste instante.",
    organization: "Registrada por",
    label: "Rótulo",
    noLabel: "nenhum",
    digest: "SHA-256 do arquivo",
    registeredAt: "Registrada em",
    code: "Código de verificação",
    keys: "Chaves da plataforma",
    payload: "Conteúdo assinado (JSON canônico)",
    howToVerify: "Como verificar",
    instructions: [
      "1. Abra o endereço acima, ou leia o código QR, e solte o arquivo. O resumo é calculado no navegador; o arquivo nunca é enviado.",
      "2. Ou solte este PDF na página de verificação: ele traz evidence.json, com o conteúdo, as duas assinaturas e as chaves.",
      "3. Ou confira sem rede: selo proof verify ARQUIVO --receipt ESTE.pdf --keys CHAVES.json",
      "As duas assinaturas, Ed25519 e ML-DSA-87 (FIPS 204), devem conferir sobre os bytes UTF-8 do conteúdo. O que está impresso serve para leitura; o que vale é o anexo.",
    ],
    scope:
      "O instante é o do relógio do servidor, não o de uma autoridade de carimbo do tempo credenciada. Autoria e conteúdo não são atestados.",
    test: "TESTE",
    testNotice: "Feita no ambiente de teste: não prova nada.",
    attachment: "Conteúdo, assinaturas e chaves desta prova",
  },
};
