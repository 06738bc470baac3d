import { cnpjOf, ICP_BRASIL, otherNames } from "../../certificates/other-names.ts";
import type { ParsedCertificate } from "./certificate.ts";
import { commonName, oneLine } from "./names.ts";

/** Whom a certificate names. */
export interface Holder {
  readonly name: string;
  readonly responsible: string | null;
  readonly cpf: string | null;
  readonly cnpj: string | null;
}

/** Birth date (8 digits), CPF (11), and more. */
const PERSON = /^\d{8}(\d{11})/;
/** What ICP-Brasil writes where there is no CPF. */
const NO_CPF = "0".repeat(11);
const NUMBER_AFTER_NAME = /\s*:\s*(\d{11}|[0-9A-Z]{12}\d{2})$/;

/** Reads the names of ICP-Brasil: a common name `NAME:CPF` or `NAME:CNPJ`, and its other names. */
export function holderOf({ der, subject, x509 }: ParsedCertificate): Holder {
  const name = commonName(subject) ?? oneLine(x509.subject);
  const cnpj = cnpjOf(der);
  const [responsible] = cnpj === null ? [] : otherNames(der, ICP_BRASIL.responsibleName);
  return {
    name: name.replace(NUMBER_AFTER_NAME, "") || name,
    responsible: responsible ? oneLine(responsible) : null,
    cpf: onlyCpf(otherNames(der, ICP_BRASIL.person)) ?? onlyCpf(otherNames(der, ICP_BRASIL.responsible)),
    cnpj,
  };
}

/** The CPF in these texts; null where they have none, or two. */
function onlyCpf(texts: readonly string[]): string | null {
  const numbers = new Set(texts.flatMap((text) => PERSON.exec(text)?.[1] ?? []).filter((cpf) => cpf !== NO_CPF));
  const [cpf] = numbers;
  return cpf !== undefined && numbers.size === 1 ? cpf : null;
}
