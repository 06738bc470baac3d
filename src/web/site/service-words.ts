import type { Tone } from "../design/icon.tsx";
import type { Language } from "../shell/language.ts";

/** What has a section on the home page. A service that does not stand yet has none. */
export const SECTIONS = ["proofs", "signatures", "dns", "webhooks", "record"] as const;
type SectionName = (typeof SECTIONS)[number];

interface SectionWords {
  readonly heading: string;
  readonly text: string;
  readonly link: string;
  readonly href: string;
  readonly caption: string;
  readonly rows: readonly ExampleRow[];
}

/** A row of an example: what, a fact about it, and what came of it, or else the content of a DNS record. */
export type ExampleRow = readonly [name: string, fact: string, outcome: string, tone: Tone | "content"];

export interface ServicesWords extends Readonly<Record<SectionName, SectionWords>> {
  readonly heading: string;
  readonly lead: string;
}

const ZONE: readonly ExampleRow[] = [
  ["@", "A", "203.0.113.10", "content"],
  ["www", "CNAME", "acme.com.br.", "content"],
  ["@", "MX", "10 mx.acme.com.br.", "content"],
];

export const serviceWords: Readonly<Record<Language, ServicesWords>> = {
  en: {
    heading: "Four services, one record",
    lead: "Each does its own job. Every change in any of them is in the same record.",
    proofs: {
      heading: "Proofs of existence",
      text: "A file existed at a date and time, and this organization registered it. The file is never stored: only its fingerprint is.",
      link: "How a proof is made",
      href: "/guides/proofs",
      caption: "Example: registered today",
      rows: [
        ["contract.pdf", "Acme Ltda", "Registered", "ok"],
        ["minutes-17.pdf", "Condomínio São João", "Registered", "ok"],
        ["drawing-rev-c.dwg", "Oficina Norte", "Registered", "ok"],
      ],
    },
    signatures: {
      heading: "Electronic signatures",
      text: "Send a PDF to be signed. Each person gets a link and signs on a phone or a computer. At the end all have the signed copy and a report of every step, which anyone can verify.",
      link: "How signing works",
      href: "/guides/signatures",
      caption: "Example: lease, 5 pages",
      rows: [
        ["Ana Souza", "21 Nov, 14:02", "Signed", "ok"],
        ["Bruno Lima", "21 Nov, 15:40", "Signed", "ok"],
        ["Carla Dias", "Invited today", "Not signed yet", "info"],
      ],
    },
    dns: {
      heading: "DNS hosting",
      text: "Zones and records by API, by command, or from a zone file. A change is served at once and is recorded: who, when, from what to what.",
      link: "Host a domain",
      href: "/guides/dns",
      caption: "Example: acme.com.br",
      rows: ZONE,
    },
    webhooks: {
      heading: "Webhooks",
      text: "Selo posts each event to your address, signed, and records it in the same step as the fact itself. A delivery that fails is tried again for three days.",
      link: "Receive webhooks",
      href: "/guides/webhooks",
      caption: "Example: https://erp.acme.com.br/hook",
      rows: [
        ["proof.registered", "22:23:34", "200 in 84 ms", "ok"],
        ["envelope.completed", "22:24:02", "503, again in 5 s", "warn"],
        ["envelope.completed", "22:24:07", "200 in 91 ms", "ok"],
      ],
    },
    record: {
      heading: "The record",
      text: "Who did what, and when: every change has its line, chained to the line before. Once a day the whole record is signed twice, so a later change shows.",
      link: "What the audit trail protects",
      href: "/guides/security-model#the-audit-trail",
      caption: "Example: today’s record",
      rows: [
        ["Proof registered", "Token “ERP”", "22:23:34", "ok"],
        ["DNS zone changed", "Key “robot”", "22:31:10", "ok"],
        ["Token revoked", "Operator", "22:40:52", "ok"],
      ],
    },
  },
  "pt-BR": {
    heading: "Quatro serviços, um só registro",
    lead: "Cada um faz o seu trabalho. Toda mudança feita em qualquer um deles fica no mesmo registro.",
    proofs: {
      heading: "Provas de existência",
      text: "Um arquivo já existia em certa data e hora, e esta organização o registrou. O arquivo nunca é guardado: só a sua impressão digital.",
      link: "Como se faz uma prova",
      href: "/guides/proofs",
      caption: "Exemplo: registrados hoje",
      rows: [
        ["contrato.pdf", "Acme Ltda", "Registrado", "ok"],
        ["ata-17.pdf", "Condomínio São João", "Registrado", "ok"],
        ["projeto-rev-c.dwg", "Oficina Norte", "Registrado", "ok"],
      ],
    },
    signatures: {
      heading: "Assinaturas eletrônicas",
      text: "Envie um PDF para assinar. Cada pessoa recebe um link e assina no celular ou no computador. No fim, todas ficam com a cópia assinada e um relatório de cada passo, que qualquer um pode verificar.",
      link: "Como funciona a assinatura",
      href: "/guides/signatures",
      caption: "Exemplo: contrato de locação, 5 páginas",
      rows: [
        ["Ana Souza", "21 nov., 14:02", "Assinou", "ok"],
        ["Bruno Lima", "21 nov., 15:40", "Assinou", "ok"],
        ["Carla Dias", "Convidada hoje", "Ainda não assinou", "info"],
      ],
    },
    dns: {
      heading: "Hospedagem de DNS",
      text: "Zonas e registros pela API, pela linha de comando ou a partir de um arquivo de zona. A mudança vale na hora e fica registrada: quem fez, quando, de que para quê.",
      link: "Hospedar um domínio",
      href: "/guides/dns",
      caption: "Exemplo: acme.com.br",
      rows: ZONE,
    },
    webhooks: {
      heading: "Webhooks",
      text: "O Selo avisa o seu endereço de cada evento, com assinatura, e grava o aviso junto com o próprio fato. A entrega que falha é tentada de novo por três dias.",
      link: "Receber webhooks",
      href: "/guides/webhooks",
      caption: "Exemplo: https://erp.acme.com.br/hook",
      rows: [
        ["proof.registered", "19:23:34", "200 em 84 ms", "ok"],
        ["envelope.completed", "19:24:02", "503, de novo em 5 s", "warn"],
        ["envelope.completed", "19:24:07", "200 em 91 ms", "ok"],
      ],
    },
    record: {
      heading: "O registro",
      text: "Quem fez o quê, e quando: cada mudança tem a sua linha, encadeada à anterior. Uma vez por dia o registro inteiro recebe duas assinaturas, e qualquer alteração posterior aparece.",
      link: "O que a trilha de auditoria protege",
      href: "/guides/security-model#the-audit-trail",
      caption: "Exemplo: o registro de hoje",
      rows: [
        ["Prova registrada", "Token “ERP”", "19:23:34", "ok"],
        ["Zona DNS alterada", "Chave “robô”", "19:31:10", "ok"],
        ["Token revogado", "Operador", "19:40:52", "ok"],
      ],
    },
  },
};
