/** Ids of the national layout: of DPS, NFS-e, cancellation requests and events (TSIdDPS, TSIdNFSe, TSIdPedRegEvt, TSIdEvento). */

/** What an access key (chave de acesso) is made of. */
export interface AccessKeyParts {
  /** IBGE code, 7 digits. */
  readonly cityCode: string;
  readonly cnpj: string;
  /** 1–13 digits. */
  readonly nfseNumber: string;
  /** When the NFS-e was made: `YYYY-MM…`. */
  readonly issuedAt: string;
  /** 9 digits that nobody can guess. */
  readonly randomDigits: string;
}

/** The event type of a cancellation, and its sequence number: it happens once. */
export const CANCELLATION_EVENT = "101101";
const FIRST_EVENT = "001";
const CNPJ_REGISTRATION = "2";
const NATIONAL_SYSTEM = "2";

/** The Id of a DPS: municipality, kind of registration, CNPJ, series and number. Only the Id pads them. */
export function dpsIdOf(cityCode: string, cnpj: string, series: string, number: string): string {
  return `DPS${cityCode}${CNPJ_REGISTRATION}${cnpj.padStart(14, "0")}${series.padStart(5, "0")}${number.padStart(15, "0")}`;
}

export function cancellationIdOf(accessKey: string): string {
  return `PRE${accessKey}${CANCELLATION_EVENT}`;
}

export function cancellationEventIdOf(accessKey: string): string {
  return `EVT${accessKey}${CANCELLATION_EVENT}${FIRST_EVENT}`;
}

/** An access key of 50 digits with its check digit. */
export function accessKeyOf(parts: AccessKeyParts): string {
  const { cityCode, cnpj, nfseNumber, issuedAt, randomDigits } = parts;
  const month = `${issuedAt.slice(2, 4)}${issuedAt.slice(5, 7)}`;
  const digits = `${cityCode}${NATIONAL_SYSTEM}${CNPJ_REGISTRATION}${cnpj}${nfseNumber.padStart(13, "0")}${month}${randomDigits}`;
  return digits + checkDigitOf(digits);
}

/** Whether a text is 50 digits whose last one is the check digit of the others. */
export function accessKeyIsSound(accessKey: string): boolean {
  return /^\d{50}$/.test(accessKey) && checkDigitOf(accessKey.slice(0, 49)) === accessKey[49];
}

/** The check digit modulo 11: weights 2 to 9 from the right; remainders 0 and 1 give 0. */
export function checkDigitOf(digits: string): string {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1)
    sum += Number(digits[digits.length - 1 - place]) * (2 + (place % 8));
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}
