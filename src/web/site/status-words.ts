import type { Language } from "../shell/language.ts";

/** What the page /status says of a service: `src/web/<service>/status-words.ts`. */
export interface StatusWords {
  /** Its lines under the heading "The services". */
  readonly services?: readonly ServiceWords[];
  /** Its checks. */
  readonly checks?: readonly CheckWords[];
  /** Its parts, of which some may be away while the service works. */
  readonly parts?: readonly PartWords[];
  /** Its components in the record of faults. */
  readonly components?: readonly ComponentWords[];
}

/** A service as people know it. */
export interface ServiceWords {
  /** As in `needs` of the service's pages (src/services). */
  readonly name: string;
  readonly heading: string;
  readonly ok: string;
  readonly part?: string;
  readonly failed: string;
}

export interface CheckWords {
  /** As /readyz calls the check. */
  readonly name: string;
  readonly heading: string;
  readonly ok: string;
  readonly failed: string;
  /** Only the storage can be full. */
  readonly full?: string;
}

export interface PartWords {
  /** As /readyz calls the parts. */
  readonly name: string;
  readonly heading: string;
  readonly ok: string;
  readonly some: string;
  readonly none: string;
}

export interface ComponentWords {
  /** As platform.faults calls the component. */
  readonly name: string;
  readonly heading: string;
  /** What a fault of the whole component meant. */
  readonly whole: string;
  /** What a fault of a part of it meant. */
  readonly part?: string;
}

export type StatusWordsOf = Readonly<Record<Language, StatusWords>>;

/** The words of what every service stands on. */
export const statusWords: StatusWordsOf = {
  en: {
    checks: [
      {
        name: "database",
        heading: "The record",
        ok: "Can be read and written.",
        failed: "Does not answer. Nothing can be registered or looked up.",
      },
      {
        name: "keys",
        heading: "The signatures",
        ok: "Both were made and verified as a test.",
        failed: "Cannot be made. Nothing can be registered.",
      },
      {
        name: "migrations",
        heading: "The program",
        ok: "Matches the record.",
        failed: "Does not match the record: an update may be under way.",
      },
      {
        name: "public_url",
        heading: "The address",
        ok: "Links and receipts name the right address.",
        failed: "Links and receipts may name another address.",
      },
      {
        name: "storage",
        heading: "The storage",
        ok: "Documents can be stored and read.",
        failed: "Does not answer. Documents can neither be uploaded nor read.",
        full: "Has no room right now. Documents can be read, but not uploaded.",
      },
    ],
    components: [
      {
        name: "service",
        heading: "The service",
        whole: "Was down, or its background work stood still: mails and webhooks waited.",
      },
      { name: "keys", heading: "The signatures", whole: "Could not be made. Nothing could be registered." },
      {
        name: "storage",
        heading: "The storage",
        whole: "Did not answer. Documents could neither be uploaded nor read.",
        part: "Had no room. Documents could be read, but not uploaded.",
      },
    ],
  },
  "pt-BR": {
    checks: [
      {
        name: "database",
        heading: "O registro",
        ok: "Pode ser lido e escrito.",
        failed: "Não responde. Nada pode ser registrado nem consultado.",
      },
      {
        name: "keys",
        heading: "As assinaturas",
        ok: "As duas foram feitas e verificadas, como teste.",
        failed: "Não podem ser feitas. Nada pode ser registrado.",
      },
      {
        name: "migrations",
        heading: "O programa",
        ok: "Confere com o registro.",
        failed: "Não confere com o registro: pode haver uma atualização em andamento.",
      },
      {
        name: "public_url",
        heading: "O endereço",
        ok: "Links e recibos trazem o endereço certo.",
        failed: "Links e recibos podem trazer outro endereço.",
      },
      {
        name: "storage",
        heading: "O armazenamento",
        ok: "Documentos podem ser guardados e lidos.",
        failed: "Não responde. Não dá para enviar nem abrir documentos.",
        full: "Está sem espaço agora. Dá para abrir documentos, mas não para enviar novos.",
      },
    ],
    components: [
      {
        name: "service",
        heading: "O serviço",
        whole: "Ficou fora do ar, ou o trabalho em segundo plano parou: e-mails e webhooks ficaram esperando.",
      },
      {
        name: "keys",
        heading: "As assinaturas",
        whole: "Não podiam ser feitas. Nada podia ser registrado.",
      },
      {
        name: "storage",
        heading: "O armazenamento",
        whole: "Não respondia. Não dava para enviar nem abrir documentos.",
        part: "Estava sem espaço. Dava para abrir documentos, mas não para enviar novos.",
      },
    ],
  },
};
