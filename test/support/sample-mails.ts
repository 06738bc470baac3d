// A mail of each kind and each of its forms, as SQL hands them to the worker.
import type { MailMessage } from "../../src/adapters/mail/mail-sender.ts";
import type { SiteOperator } from "../../src/config/config.ts";
import { composeMail } from "../../src/services/platform/mails/compose-mail.ts";
import { services } from "../../src/services/services.ts";
import { mailKindsOf } from "../../workers/platform/send-mail.ts";
import { productFacts, type SampleMail } from "./service-facts.ts";

/** The mails of the product. */
export const productMails = await mailKindsOf(services);

export const LANGUAGES = ["en", "pt-BR"] as const;
export const PUBLIC_URL = "https://selo.example";
export const OPERATOR: SiteOperator = {
  name: "Selo Serviços Digitais Ltda",
  details: "CNPJ 12.345.678/0001-90, São Paulo",
  contact: "mailto:contato@selo.example",
  privacy: "https://selo.example/privacy",
  terms: "https://selo.example/terms",
};
export const CONTACT = "contato@acme.example";
export const NO_OPERATOR: SiteOperator = { name: null, details: null, contact: null, privacy: null, terms: null };

/** Those of all services, by the name of the form. */
export const sampleMails: Readonly<Record<string, SampleMail>> = Object.assign(
  {},
  ...productFacts.map(({ mails }) => mails),
);

export interface SampleOptions {
  readonly language: (typeof LANGUAGES)[number];
  readonly organization?: string;
  readonly operator?: SiteOperator;
  readonly timeZone?: string;
  /** Address of the organization. */
  readonly contact?: string | null;
}

/** The mail as it is sent to a contact in São Paulo. */
export function composeSample(sample: SampleMail, options: SampleOptions): MailMessage {
  const {
    language,
    organization = "Acme Ltda",
    operator = OPERATOR,
    timeZone = "America/Sao_Paulo",
    contact = CONTACT,
  } = options;
  const { kind, data, environment = "live", prepared = {} } = sample;
  const at = "2026-11-21T22:23:45.000000Z";
  return composeMail(
    {
      recipient: "ana@example.org",
      language,
      created_at: at,
      kind,
      data: { ...data, organization, time_zone: timeZone, contact, environment, at },
    },
    {
      id: "0197a0c0-0000-7000-8000-000000000000",
      site: { publicUrl: PUBLIC_URL, operator },
      kinds: productMails,
      prepared,
    },
  );
}
