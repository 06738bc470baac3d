/** Fields of a participant: which are shown, which are missing, and what is wrong with a value. The rules are those of sql/signature/functions/signatures/fill_fields.sql. */

import { DRAWABLE } from "../../generated/drawable-characters.ts";

export type FieldType =
  | "assinatura"
  | "rubrica"
  | "nome"
  | "cpf"
  | "cargo"
  | "empresa"
  | "data"
  | "texto"
  | "checkbox"
  | "numero"
  | "calculado"
  | "anexo";

/** A field, as `GET /signing/{participant_id}` answers it. Its place is in parts of the page as displayed, from the top left corner. */
export interface Field {
  readonly id: string;
  readonly document_id: string;
  /** From 1. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly type: FieldType;
  readonly required: boolean;
  /** The checkbox that shows the field. */
  readonly condition_field_id: string | null;
  readonly condition_trigger: "checked" | "unchecked" | null;
  /** What the sender calls the field. */
  readonly label: string | null;
  /** Of a field that the server calculates: numbers are named by the ids of their fields, in braces. */
  readonly formula: string | null;
  /** The file that was delivered for the field. */
  readonly attachment?: { readonly filename: string; readonly size: number } | null;
}

/** What the participant gave, by the id of the field. The CPF, which all fields of its type share, stands at `cpf`. */
export type Values = Readonly<Record<string, string | boolean>>;

/** The name of the participant's CPF among values and errors, and in the request that completes. */
const CPF = "cpf";

/** What is wrong with a value. */
export type Fault = "missing" | "blank" | "characters" | "number" | "long" | "cpf" | "unticked";

/** Where a field's value is kept. */
export const keyOf = ({ id, type }: Pick<Field, "id" | "type">): string => (type === "cpf" ? CPF : id);

/** Whether the participant fills the field. The server fills in the others, and the CPF where it is known. */
export function isAsked({ type }: Pick<Field, "type">, knownCpf: string | null): boolean {
  if (type === "cpf") return knownCpf === null;
  return (
    type === "cargo" ||
    type === "empresa" ||
    type === "texto" ||
    type === "checkbox" ||
    type === "numero" ||
    type === "anexo"
  );
}

/** The fields that are shown with these values. A field below a hidden checkbox is hidden, too. */
export function shownFields<Some extends Field>(fields: readonly Some[], values: Values): Some[] {
  const below = new Map<string | null, Some[]>();
  for (const field of fields)
    below.set(field.condition_field_id, [...(below.get(field.condition_field_id) ?? []), field]);
  const shown = new Set(below.get(null));
  // A set that grows while it is walked through is walked through to its end.
  for (const box of shown)
    for (const field of below.get(box.id) ?? [])
      if ((field.condition_trigger === "checked") === (values[box.id] === true)) shown.add(field);
  return fields.filter((field) => shown.has(field));
}

/** In the order of reading: documents, pages, from top to bottom, from left to right. */
export function inReadingOrder<Some extends Field>(fields: readonly Some[], documentIds: readonly string[]): Some[] {
  const place = new Map(documentIds.map((id, index) => [id, index]));
  return [...fields].sort(
    (a, b) =>
      (place.get(a.document_id) ?? 0) - (place.get(b.document_id) ?? 0) || a.page - b.page || a.y - b.y || a.x - b.x,
  );
}

/** The shown fields that the participant fills. Fields of the CPF ask once. */
export function askedFields<Some extends Field>(
  fields: readonly Some[],
  values: Values,
  knownCpf: string | null,
): Some[] {
  const asked = shownFields(fields, values).filter((field) => isAsked(field, knownCpf));
  const firstCpf = asked.find(({ type }) => type === "cpf");
  // One CPF that is required is enough for all.
  return asked.filter((field) => field.type !== "cpf" || field === firstCpf);
}

/** The shown fields that the panel leads through: those that the participant fills, and those that are calculated from them. */
export function walkedFields<Some extends Field>(
  fields: readonly Some[],
  values: Values,
  knownCpf: string | null,
): Some[] {
  const asked = new Set(askedFields(fields, values, knownCpf));
  return shownFields(fields, values).filter((field) => asked.has(field) || field.type === "calculado");
}

/** The numbers of the participant that a calculated field needs, as far as they are shown. */
export function operandsOf<Some extends Field>({ formula }: Field, fields: readonly Some[], values: Values): Some[] {
  return shownFields(fields, values).filter(({ id }) => formula?.includes(`{${id}}`) === true);
}

/** Whether a field must be filled. `answered`: a checkbox whose empty state shows another field may stay empty, but must be answered. */
export type Need = boolean | "answered";

/** For the CPF, whether one of its shown fields must be filled. */
export function isRequired(field: Field, fields: readonly Field[], values: Values): Need {
  if (field.type === "cpf") return shownFields(fields, values).some(({ type, required }) => type === "cpf" && required);
  const isAnswer = (each: Field) => each.condition_field_id === field.id && each.condition_trigger === "unchecked";
  return field.required && field.type === "checkbox" && fields.some(isAnswer) ? "answered" : field.required;
}

/** The shown fields that the participant must still fill. */
export function missing<Some extends Field>(fields: readonly Some[], values: Values, knownCpf: string | null): Some[] {
  return askedFields(fields, values, knownCpf).filter((field) =>
    /^(missing|unticked)$/.test(faultOf(field, values[keyOf(field)], isRequired(field, fields, values)) ?? ""),
  );
}

/** Values with the names of the files that the server has. */
export function withFiles(fields: readonly Field[], values: Values): Values {
  const files = fields.filter(({ type }) => type === "anexo");
  return { ...values, ...Object.fromEntries(files.map(({ id, attachment }) => [id, attachment?.filename ?? ""])) };
}

/** The faults of all shown fields, by their keys. */
export function faults(fields: readonly Field[], values: Values, knownCpf: string | null): Map<string, Fault> {
  return new Map(
    askedFields(fields, values, knownCpf).flatMap((field) => {
      const fault = faultOf(field, values[keyOf(field)], isRequired(field, fields, values));
      return fault === null ? [] : [[keyOf(field), fault] as const];
    }),
  );
}

/** Spaces of every width, direction marks and joiners cannot be seen: signature.is_visible. */
const VISIBLE =
  /[^\s\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0]/u;
/** Control characters, line breaks and marks that turn the direction of writing: signature.wrong_text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const REFUSED = /[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
/** Characters that nobody sees, where no script and no emoji needs them: signature.has_hidden_character. */
const HIDDEN = [
  /\u034f|[\u00ad\u115f\u1160\u17b4\u17b5\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\u{1d173}-\u{1d17a}\u{e0001}]/u,
  /(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0020}-\u{e007f}]/u,
  /(?<![\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}])[\u{e0100}-\u{e01ef}]/u,
  /(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b|\u200b(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])/u,
  /(?<![\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc])\u200c/u,
  /(?<!\ufe0f|[\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}])\u200d/u,
  /(?:\ufe0f|[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}])\u200d(?![\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}])/u,
];
/** Where ranges of characters that documents can show begin and end, in turn: platform.drawable_characters. */
const EDGES: readonly number[] = edgesOf(DRAWABLE.split(" "));
/** Nearly all texts have letters of Latin alone. */
const BEYOND_LATIN = /[\u0250-\u{10ffff}]/u;
/** More accents on one letter than any language writes. */
const PILE = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5}/u;
const NUMBER = /^-?[0-9]{1,18}(\.[0-9]{1,12})?$/;
const MOST_CHARACTERS = 1_000;

/** What is wrong with the value of a field; null for a right one. */
export function faultOf(
  { type }: Pick<Field, "type">,
  value: string | boolean | undefined,
  required: Need,
): Fault | null {
  if (type === "calculado") return null;
  // The server judged its name when it took the file.
  if (type === "anexo") return required && !value ? "missing" : null;
  if (type === "checkbox" && required === "answered") return value === undefined ? "missing" : null;
  if (type === "checkbox") return required && value !== true ? "unticked" : null;
  const text = typeof value === "string" ? value : "";
  if (!VISIBLE.test(text)) return required ? "missing" : text === "" ? null : "blank";
  if (REFUSED.test(text) || HIDDEN.some((each) => each.test(text)) || !isDrawable(text)) return "characters";
  if (type === "cpf") return isCpf(text) ? null : "cpf";
  if (type === "numero") return NUMBER.test(text) ? null : "number";
  return [...text].length > MOST_CHARACTERS ? "long" : null;
}

function edgesOf(steps: readonly string[]): readonly number[] {
  let edge = 0;
  return steps.map((step) => {
    edge += Number.parseInt(step, 36);
    return edge;
  });
}

/** Whether documents can show every character of a text: platform.undrawable_character. */
function isDrawable(text: string): boolean {
  if (!BEYOND_LATIN.test(text)) return true;
  if (PILE.test(text)) return false;
  return Array.from(text, (character) => character.codePointAt(0) ?? 0).every(
    (code) => EDGES.findLastIndex((edge) => edge <= code) % 2 === 0,
  );
}

const CPF_FORM = /^(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})$/;

/** Whether a text is a CPF, with or without punctuation. */
export function isCpf(text: string): boolean {
  const digits = CPF_FORM.exec(text)?.slice(1).join("") ?? "";
  if (digits === "" || /^(\d)\1+$/.test(digits)) return false;
  const checkDigit = (length: number) => {
    const sum = [...digits.slice(0, length)].reduce((all, digit, at) => all + Number(digit) * (length + 1 - at), 0);
    return String(((sum * 10) % 11) % 10);
  };
  return digits.endsWith(checkDigit(9) + checkDigit(10));
}

/** The sign between whole and broken part of a number, in the language of the page. */
export type DecimalSign = "," | ".";

/** A number as the server takes it, from one that somebody typed: `1.234,50` in Portuguese is `1234.50`. What is no number stays as it is. */
export function numberOf(typed: string, sign: DecimalSign): string {
  const text = typed.trim();
  const group = sign === "," ? "\\." : ",";
  const grouped = new RegExp(`^-?\\d{1,3}(?:${group}\\d{3})+(?:\\${sign}\\d+)?$`);
  const plain = new RegExp(`^-?\\d+(?:\\${sign}\\d+)?$`);
  if (grouped.test(text)) return text.replace(new RegExp(group, "g"), "").replace(sign, ".");
  return plain.test(text) ? text.replace(sign, ".") : text;
}

/** A number of the server in the language of the page. */
export function numberShown(value: string, sign: DecimalSign): string {
  return NUMBER.test(value) ? value.replace(".", sign) : value;
}

/** The members `values` and `cpf` of the request that completes: only what is shown, asked and given. */
export function completionOf(
  fields: readonly Field[],
  values: Values,
  knownCpf: string | null,
): { readonly values: Record<string, string | boolean>; readonly cpf?: string } {
  const given = askedFields(fields, values, knownCpf).flatMap((field) => {
    // A file was delivered before.
    if (field.type === "anexo") return [];
    const value = values[keyOf(field)];
    return value === undefined || value === "" ? [] : [[keyOf(field), value] as const];
  });
  const { [CPF]: cpf, ...others } = Object.fromEntries(given);
  return typeof cpf === "string" ? { values: others, cpf } : { values: others };
}
