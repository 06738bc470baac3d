import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { z } from "zod";
import { unauthenticated } from "../../../errors/app-error.ts";
import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Requester } from "../../../surfaces/operation.ts";
import type { DataKey } from "../documents/data-key.ts";
import type { SignatureParts } from "../parts.ts";

const CPF = /^(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})$/;

/** Numbers of a participant, as callers give them: signature-service §2. They are encrypted before they reach the database, so SQL does not check them. */
export const personalNumbers = {
  cpf: z
    .string()
    .max(14, "must be a CPF")
    .refine(isCpf, "must be a CPF")
    .meta({
      pattern: CPF.source,
      description:
        "CPF of the participant, with or without punctuation. Required for `auth_method` cpf. Answers mask it.",
    })
    .nullish(),
  ssn_last4: z
    .string()
    .regex(/^\d{4}$/, "must be 4 digits")
    .meta({ description: "Last four digits of the SSN. Answers mask these digits." })
    .nullish(),
  phone: z
    .string()
    .max(16, "must be a phone number in E.164")
    .refine(isPhone, "must be a phone number in E.164, with its country code")
    .meta({
      pattern: "^\\+[1-9]\\d{1,14}$",
      description:
        "Telephone number in E.164 with its country code, such as +5511987654321. Required for `auth_method` otp_sms. Answers mask it.",
    })
    .nullish(),
};

type PersonalNumbers = { readonly [Name in keyof typeof personalNumbers]?: string | null | undefined };

/** Parameters of the commands that keep personal numbers: callers do not give them. */
export const madeOfNumbers = [
  "cpf_mask",
  "enciphered_cpf",
  "ssn_last4_mask",
  "enciphered_ssn_last4",
  "phone_mask",
  "enciphered_phone",
  "cpf_digest",
  "ssn_last4_digest",
] as const;

/** What SQL compares instead of a number: only a holder of the data key can make it, and for this participant alone. In hexadecimal. */
export const numberDigest = (key: DataKey, name: "cpf" | "ssn_last4", digits: string, participantId: string): string =>
  key.derive("participant-number", `${participantId}:${name}:${digits}`).toString("hex");

/** Whether encrypting needs the data key. */
export const hasNumbers = ({ cpf, ssn_last4, phone }: PersonalNumbers): boolean => Boolean(cpf ?? ssn_last4 ?? phone);

/** The data key of a caller who may run the command. The right comes first, because the first use makes the key. */
export async function keyOfCaller(
  { database, dataKeys }: SignatureParts,
  requester: Requester,
  command: AnyCommand,
): Promise<DataKey> {
  if (requester.credentialHash === null) throw unauthenticated();
  await database.authorize(requester.credentialHash, command);
  return dataKeys.ofCaller(database, requester);
}

/**
 * The given numbers, masked and encrypted for the row of their participant. An absent number is left out; null removes a number.
 * @param key the data key of the caller; null where no number is given
 */
export function keptNumbers(
  { cpf, ssn_last4, phone }: PersonalNumbers,
  participantId: string,
  key: DataKey | null,
): Partial<Record<(typeof madeOfNumbers)[number], string | null>> {
  const kept = (name: keyof PersonalNumbers, value: string | null | undefined, mask: (value: string) => string) => {
    if (value === undefined) return {};
    if (value === null || key === null) return { [`${name}_mask`]: null, [`enciphered_${name}`]: null };
    const sealed = key.sealText(value, placeOfNumber(name, participantId)).toString("base64");
    const kept = { [`${name}_mask`]: mask(value), [`enciphered_${name}`]: sealed };
    return name === "phone" ? kept : { ...kept, [`${name}_digest`]: numberDigest(key, name, value, participantId) };
  };
  return {
    ...kept("cpf", cpf == null ? cpf : digitsOf(cpf), maskedCpf),
    ...kept("ssn_last4", ssn_last4, (digits) => `***-**-**${digits.slice(2)}`),
    ...kept("phone", phone, maskedPhone),
  };
}

const placeOfNumber = (name: keyof PersonalNumbers, id: string) => ({
  table: "signature.participants",
  column: `enciphered_${name}`,
  id,
});

/**
 * Decrypts a number of a participant. Null where none was given.
 * @param sealed base64
 */
export const openNumber = (key: DataKey, name: keyof PersonalNumbers, sealed: string | null, id: string) =>
  sealed === null ? null : key.openText(Buffer.from(sealed, "base64"), placeOfNumber(name, id));

/** A CPF without punctuation. */
export const digitsOf = (cpf: string): string => cpf.replaceAll(/\D/g, "");

/** The six digits in the middle: ***.982.247-**. */
export const maskedCpf = (digits: string): string => `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`;

/** The country code and the last two digits: +55*********21. */
function maskedPhone(phone: string): string {
  const country = `+${parsePhoneNumberFromString(phone)?.countryCallingCode ?? ""}`;
  return `${country}${"*".repeat(phone.length - country.length - 2)}${phone.slice(-2)}`;
}

function isPhone(text: string): boolean {
  const parsed = parsePhoneNumberFromString(text);
  // Other spellings of the number are refused: what is sent to is what was given.
  return parsed?.isValid() === true && parsed.number === text;
}

/** Whether a text is a CPF: both check digits are right (modulo 11), and its digits are not all the same. */
function isCpf(text: string): boolean {
  const digits = CPF.exec(text)?.slice(1).join("") ?? "";
  if (digits === "" || /^(\d)\1+$/.test(digits)) return false;
  const checkDigit = (length: number) => {
    const sum = [...digits.slice(0, length)].reduce(
      (total, digit, place) => total + Number(digit) * (length + 1 - place),
      0,
    );
    return String(((sum * 10) % 11) % 10);
  };
  return digits.endsWith(checkDigit(9) + checkDigit(10));
}
