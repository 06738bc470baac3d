// Finds what callers lose by a change of a JSON schema. Every comparison has the same direction: `may` has to allow all values of `must`.
import { isDeepStrictEqual } from "node:util";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Schema = { [keyword: string]: Json };

/** Use of a schema, in requests or in answers, with the descriptions that resolve its references before and after the change. */
export interface Use {
  /** A request must still be allowed all earlier values. An answer must not have new values. */
  role: "request" | "answer";
  before: Components;
  after: Components;
}

/** The part of an API's description that schemas refer to. */
export interface Components {
  components?: { schemas?: { [name: string]: Schema } };
}

/** Keywords that neither allow nor forbid values. */
const EXPLAINING = /^(\$comment|default|deprecated|description|examples?|externalDocs|title|x-.*)$/;
/** Keywords with separate rules of comparison. */
const OWN_RULE = /^(\$ref|additionalProperties|anyOf|const|enum|items|oneOf|properties|required|type)$/;
const UPPER_LIMIT = /^(exclusiveMaximum|maximum|maxItems|maxLength|maxProperties)$/;
const LOWER_LIMIT = /^(exclusiveMinimum|minimum|minItems|minLength|minProperties)$/;

/**
 * What callers of `before` lose with `after`: removed members, refused values, new values in answers and changed limits.
 * Callers lose nothing by a new member or by other words.
 * @param name name of the described thing, for the sentences; a schema of `components` has its own name there
 * @returns sentences, which may repeat if a schema is used twice
 */
export function schemaNarrowings(name: string, before: Schema, after: Schema, use: Use): string[] {
  return formsNarrowings(name, before, after, use, []);
}

/** @param within names of the schemas under comparison, so that a schema that contains itself is compared once */
function formsNarrowings(name: string, before: Schema, after: Schema, use: Use, within: readonly string[]): string[] {
  const component = componentOf(before);
  if (component !== undefined && component === componentOf(after)) {
    if (within.includes(component)) return [];
    const [old, now] = [resolved(before, use.before), resolved(after, use.after)];
    return formsNarrowings(component, old, now, use, [...within, component]);
  }
  const formsBefore = formsOf(before, use.before);
  const formsAfter = formsOf(after, use.after);
  const compare = (old: Form, now: Form) => {
    if (old.component === undefined || old.component !== now.component)
      return formNarrowings(name, old.schema, now.schema, use, within);
    if (within.includes(old.component)) return [];
    return formNarrowings(old.component, old.schema, now.schema, use, [...within, old.component]);
  };
  const [onlyBefore, onlyAfter] = [formsBefore[0], formsAfter[0]];
  if (onlyBefore && onlyAfter && formsBefore.length === 1 && formsAfter.length === 1)
    return compare(onlyBefore, onlyAfter);

  // Forms with the same name are compared with each other. For any other form, a form on the other side must allow its values.
  const isRequest = use.role === "request";
  const [must, may] = isRequest ? [formsBefore, formsAfter] : [formsAfter, formsBefore];
  return must.flatMap((form) => {
    const namesake = may.find(({ component }) => component !== undefined && component === form.component);
    if (namesake) return isRequest ? compare(form, namesake) : compare(namesake, form);
    const fits = may.some((other) => (isRequest ? compare(form, other) : compare(other, form)).length === 0);
    return fits ? [] : [`\`${name}\` ${isRequest ? "no longer takes" : "may be"} ${wordsOf(form)}.`];
  });
}

/** One of the forms that a schema allows. */
interface Form {
  /** The name of the form's schema in `components`. */
  component?: string;
  schema: Schema;
}

const wordsOf = ({ component, schema }: Form) => `\`${component ?? JSON.stringify(withoutWords(schema))}\``;

/** The name in `components` to which a schema refers. */
function componentOf({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.replace("#/components/schemas/", "") : undefined;
}

/** A schema whose reference is replaced by its target. */
function resolved(schema: Schema, document: Components): Schema {
  const component = componentOf(schema);
  if (component === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = document.components?.schemas?.[component];
  if (!target) throw new Error(`no schema ${$ref}`);
  return { ...target, ...beside };
}

/** The forms of a schema: those of `anyOf` or `oneOf`, each with the keywords beside the list. A schema without such a list is its only form. */
function formsOf(schema: Schema, document: Components): Form[] {
  const component = componentOf(schema);
  const { anyOf, oneOf, ...rest } = resolved(schema, document);
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined;
  if (!alternatives) return [component === undefined ? { schema: rest } : { component, schema: rest }];
  return alternatives
    .flatMap((each) => formsOf(each, document))
    .map((form) => {
      if (Object.keys(withoutWords(rest)).length === 0) return form;
      const required = [...namesIn(rest["required"]), ...namesIn(form.schema["required"])];
      const properties = { ...membersOf(rest), ...membersOf(form.schema) };
      return { ...form, schema: { ...rest, ...form.schema, required, properties } };
    });
}

function formNarrowings(name: string, before: Schema, after: Schema, use: Use, within: readonly string[]): string[] {
  const isRequest = use.role === "request";
  const [must, may] = isRequest ? [before, after] : [after, before];
  const inside = (member: string, old: Json | undefined, now: Json | undefined) =>
    formsNarrowings(member, (old ?? {}) as Schema, (now ?? {}) as Schema, use, within);
  const verb = isRequest ? "no longer takes" : "may be";
  const found: string[] = [];

  for (const value of missing(valuesOf(must), valuesOf(may))) found.push(`\`${name}\` ${verb} ${value}.`);
  for (const type of missing(typesOf(must), typesOf(may))) found.push(`\`${name}\` ${verb} ${typeWords(type)}.`);
  for (const keyword of new Set([...Object.keys(must), ...Object.keys(may)])) {
    if (EXPLAINING.test(keyword) || OWN_RULE.test(keyword) || allows(keyword, must[keyword], may[keyword])) continue;
    found.push(hasInPlaceOf(name, keyword, before[keyword], after[keyword]));
  }
  if (isRequest && before["default"] !== undefined && !isDeepStrictEqual(before["default"], after["default"]))
    found.push(hasInPlaceOf(name, "default", before["default"], after["default"]));

  if ("items" in before || "items" in after) found.push(...inside(`${name}[]`, before["items"], after["items"]));
  found.push(...otherMembersNarrowings(name, before, after, use, inside));
  const membersAfter = membersOf(after);
  for (const [member, old] of Object.entries(membersOf(before))) {
    const now = membersAfter[member];
    if (now === undefined) found.push(`\`${name}.${member}\` was removed.`);
    else found.push(...inside(`${name}.${member}`, old, now));
  }
  for (const member of namesIn(may["required"])) {
    if (namesIn(must["required"]).includes(member)) continue;
    if (isRequest) found.push(`\`${name}.${member}\` is required.`);
    else if (member in membersAfter) found.push(`\`${name}.${member}\` may be absent.`);
  }
  return found;
}

/** Compares members that a schema does not name. Answers may get such members, as they may get new members. */
function otherMembersNarrowings(
  name: string,
  { additionalProperties: before = true }: Schema,
  { additionalProperties: after = true }: Schema,
  { role }: Use,
  inside: (name: string, before: Json, after: Json) => string[],
): string[] {
  if (after === false)
    return role === "request" && before !== false ? [`\`${name}\` no longer takes other members.`] : [];
  if (before === false || (before === true && after === true)) return [];
  return inside(`${name}.*`, before === true ? {} : before, after === true ? {} : after);
}

/** Whether a limiting keyword allows in `may` all that it allows in `must`. An absent keyword allows everything. */
function allows(keyword: string, must: Json | undefined, may: Json | undefined): boolean {
  if (may === undefined) return true;
  if (UPPER_LIMIT.test(keyword)) return Number(must ?? Number.POSITIVE_INFINITY) <= Number(may);
  if (LOWER_LIMIT.test(keyword)) return Number(must ?? Number.NEGATIVE_INFINITY) >= Number(may);
  return isDeepStrictEqual(must, may);
}

const ANY = "any other value";

/** The values of `must` that `may` lacks. Undefined stands for all values. */
function missing(must: string[] | undefined, may: string[] | undefined): string[] {
  if (may === undefined) return [];
  return must?.filter((each) => !may.includes(each)) ?? [ANY];
}

function valuesOf(schema: Schema): string[] | undefined {
  const values = "const" in schema ? [schema["const"]] : (schema["enum"] as Json[] | undefined);
  return values?.map((value) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``);
}

function typesOf({ type }: Schema): string[] | undefined {
  if (type === undefined) return undefined;
  const types = [type].flat() as string[];
  return types.includes("number") ? [...types, "integer"] : types;
}

const typeWords = (type: string) =>
  type === "null" ? "`null`" : type === ANY ? "values of any type" : `a value of type \`${type}\``;
const membersOf = (schema: Schema) => (schema["properties"] ?? {}) as { [name: string]: Schema };
const namesIn = (list: Json | undefined) => (list ?? []) as string[];
const withoutWords = (schema: Schema) =>
  Object.fromEntries(Object.entries(schema).filter(([each]) => !EXPLAINING.test(each)));

/** The sentence about a value that changed. */
export function hasInPlaceOf(name: string, what: string, before: unknown, after: unknown): string {
  const words = (value: unknown) =>
    value === undefined ? "none" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
  return `\`${name}\` has \`${what}\` ${words(after)} in place of ${words(before)}.`;
}
