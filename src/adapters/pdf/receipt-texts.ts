/** The words of a receipt. */
import { spokenPortuguese } from "../language/portuguese-hour.ts";
import { spokenTime } from "./spoken-time.ts";
import type { Span } from "./text-setter.ts";

/** What the main sentence names. */
export interface Claim {
  /** Null: the file's name was not registered. */
  readonly fileName: string | null;
  readonly organization: string;
  /** A clock's reading, such as 2026-11-20T09:34:56.123456. */
  readonly localTime: string;
  /** The zone of that clock, such as "horário de Brasília"; "UTC" for UTC. */
  readonly zone: string;
}

export interface ReceiptTexts {
  readonly title: string;
  readonly claim: (claim: Claim) => readonly Span[];
  readonly code: string;
  /** Where to verify; the address is without `https://`. */
  readonly address: (address: string) => readonly Span[];
  readonly orScan: string;
  readonly qrCode: (address: string) => string;
  readonly organization: string;
  readonly fileName: string;
  readonly fileSize: string;
  readonly bytes: (size: number) => string;
  readonly label: string;
  readonly noLabel: string;
  readonly dateAndTime: string;
  /** Formats the day of a clock's reading as people write it. */
  readonly day: (localTime: string) => string;
  /** The same with the time, in seconds. */
  readonly date: (localTime: string) => string;
  /** The name of an IANA zone at an instant; null for UTC. */
  readonly zone: (timeZone: string, utcOffset: string, instant: string) => string | null;
  readonly fingerprint: string;
  readonly keys: string;
  readonly howToVerify: string;
  readonly instructions: readonly (readonly Span[])[];
  readonly limits: string;
  readonly whatItDoesNotProve: readonly string[];
  readonly content: string;
  readonly aboutContent: string;
  readonly page: string;
  readonly test: string;
  readonly testNotice: string;
  readonly attachment: string;
}

const sans = (text: string): Span => ({ text, face: "sans" });
const bold = (text: string): Span => ({ text, face: "sans-bold" });
const mono = (text: string): Span => ({ text, face: "mono" });

const english = spokenTime("en-GB");
const portuguese = spokenTime("pt-BR");
/** In Portuguese the first of a month is an ordinal. */
const dayInPortuguese = (localTime: string) => spokenPortuguese(portuguese.day(localTime));

export const receiptTexts: Readonly<Record<"pt-BR" | "en", ReceiptTexts>> = {
  en: {
    title: "Proof of existence",
    claim: ({ fileName, organization, localTime, zone }) => [
      fileName === null ? sans("A file") : bold(fileName),
      sans(" was registered by "),
      bold(organization),
      sans(" on "),
      bold(`${english.day(localTime)} at ${localTime.slice(11, 16)}`),
      sans(zone === "UTC" ? " UTC." : ` (${zone}).`),
    ],
    code: "Verification code",
    address: (address) => [sans("Verify at "), bold(address)],
    orScan: "or point the camera of your phone at the QR code.",
    qrCode: (address) => `QR code: ${address}`,
    organization: "Registered by",
    fileName: "File name",
    fileSize: "File size",
    bytes: (size) => `${english.number(size)} ${size === 1 ? "byte" : "bytes"}`,
    label: "Description",
    noLabel: "none",
    dateAndTime: "Date and time",
    day: english.day,
    date: (localTime) => `${english.day(localTime)}, ${localTime.slice(11, 19)}`,
    zone: english.zone,
    fingerprint: "Fingerprint of the file (SHA-256)",
    keys: "Platform keys",
    howToVerify: "How to verify",
    instructions: [
      [sans("Open the address above and drop the file on the page. It never leaves your device.")],
      [sans("Or drop this PDF: it carries evidence.json, with the content, both signatures and the keys.")],
      [
        sans("Or verify without a network, with the verifier and the keys from that page: "),
        mono("node selo-verify.mjs FILE --receipt THIS.pdf --keys KEYS.json"),
      ],
    ],
    limits: "What this does not prove",
    whatItDoesNotProve: [
      "Who wrote the file, or that what it says is true.",
      "That anybody signed it or agreed to it.",
      "That anyone else vouches for the time: it comes from the server’s clock, not from an accredited time authority.",
    ],
    content: "Signed content",
    aboutContent:
      "The signatures Ed25519 and ML-DSA-87 (FIPS 204), both required, hold for these UTF-8 bytes as they stand in the attachment. The printed text is for reading.",
    page: "Page 1 of 1",
    test: "TEST",
    testNotice: "Made in the test environment: it proves nothing.",
    attachment: "Content, signatures and keys of this proof",
  },
  "pt-BR": {
    title: "Prova de existência",
    claim: ({ fileName, organization, localTime, zone }) => [
      fileName === null ? sans("Um arquivo") : bold(fileName),
      sans(" foi registrado por "),
      bold(organization),
      sans(" em "),
      bold(spokenPortuguese(`${dayInPortuguese(localTime)} às ${localTime.slice(11, 16)}`)),
      sans(zone === "UTC" ? " UTC." : ` (${zone}).`),
    ],
    code: "Código de verificação",
    address: (address) => [sans("Verifique em "), bold(address)],
    orScan: "ou aponte a câmera do celular para o QR Code.",
    qrCode: (address) => `QR Code: ${address}`,
    organization: "Registrado por",
    fileName: "Nome do arquivo",
    fileSize: "Tamanho do arquivo",
    bytes: (size) => `${portuguese.number(size)} ${size === 1 ? "byte" : "bytes"}`,
    label: "Descrição",
    noLabel: "nenhuma",
    dateAndTime: "Data e hora",
    day: dayInPortuguese,
    date: (localTime) => `${dayInPortuguese(localTime)}, ${localTime.slice(11, 19)}`,
    zone: portuguese.zone,
    fingerprint: "Impressão digital do arquivo (SHA-256)",
    keys: "Chaves da plataforma",
    howToVerify: "Como verificar",
    instructions: [
      [sans("Abra o endereço acima e solte o arquivo na página. Ele não sai do seu dispositivo.")],
      [sans("Ou solte este PDF: ele traz o anexo evidence.json, com o conteúdo, as duas assinaturas e as chaves.")],
      [
        sans("Ou verifique sem rede, com o verificador e as chaves daquela página: "),
        mono("node selo-verify.mjs ARQUIVO --receipt ESTE.pdf --keys CHAVES.json"),
      ],
    ],
    limits: "O que isto não prova",
    whatItDoesNotProve: [
      "Quem escreveu o arquivo, nem se o que ele diz é verdade.",
      "Que alguém o tenha assinado ou concorde com ele.",
      "Que a hora tenha sido atestada por terceiros: ela vem do relógio do servidor, não de uma autoridade de carimbo do tempo credenciada na ICP-Brasil.",
    ],
    content: "Conteúdo assinado",
    aboutContent:
      "As assinaturas Ed25519 e ML-DSA-87 (FIPS 204), ambas obrigatórias, valem para estes bytes UTF-8, tal como estão no anexo. O que está impresso serve para leitura.",
    page: "Página 1 de 1",
    test: "TESTE",
    testNotice: "Feita no ambiente de teste: não prova nada.",
    attachment: "Conteúdo, assinaturas e chaves desta prova",
  },
};
