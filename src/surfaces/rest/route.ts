import { z } from "zod";
import { commandFacts } from "../../postgres/any-command.ts";
import { OF_FILE } from "../file-members.ts";
import { inputOf } from "../input.ts";
import type { Answers, Operation, RestForm } from "../operation.ts";

/** One documented path: an operation in one of its forms, with the shape of what it reads. */
export interface Route<Parts = never> extends RestForm, Pick<Operation, "command" | "answers" | "errors"> {
  readonly of: Operation<Parts>;
  /** The name of the operation. */
  readonly operation: string;
  readonly answers: Answers;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Of a body of JSON. */
  readonly body?: z.ZodObject;
  /** Where the path also reads multipart/form-data: a file under `file`, and these fields. */
  readonly multipart?: Form;
}

export interface Form {
  readonly fields: z.ZodObject;
  /** Whether the fields stand beside the file or in its place. */
  readonly with: "fields beside the file" | "the file or the fields";
}

/** The documented paths of services, in the order of `/docs`. */
export function routesOf<Parts>(
  services: readonly { readonly operations?: readonly Operation<Parts>[] }[],
): Route<Parts>[] {
  return services.flatMap(({ operations = [] }) => operations.flatMap(pathsOf));
}

function pathsOf<Parts>(operation: Operation<Parts>): Route<Parts>[] {
  const { rest, name, command, answers, errors = [] } = operation;
  const forms = rest === null ? [] : Array.isArray(rest) ? (rest as readonly RestForm[]) : [rest as RestForm];
  if (answers === undefined) {
    if (forms.length > 0) throw new Error(`operation ${name}: say what its path answers`);
    return [];
  }
  const own = { of: operation, operation: name, command, answers, errors };
  return forms.map((form) => ({ ...form, ...shapesOf(operation, form), ...own }));
}

function shapesOf<Parts>(operation: Operation<Parts>, { method, path }: RestForm) {
  const { file } = operation;
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const texts = Object.entries(inputOf(operation as Operation, "text"));
  const members = Object.entries(inputOf(operation as Operation, "json")).filter(([name]) => !inPath.has(name));
  const params = texts.filter(([name]) => inPath.has(name));
  const query = method === "GET" ? pageFirst(texts.filter(([name]) => !inPath.has(name))) : [];
  const body = method === "GET" || file?.kept === "bytes" ? [] : members;
  // A form has texts, as a path and a query have.
  const beside = texts.filter(([name]) => !inPath.has(name));
  const fields = file?.kept === "digest" ? beside.filter(([name]) => file.orMembers || !OF_FILE.has(name)) : beside;
  return {
    ...(params.length > 0 ? { params: z.strictObject(Object.fromEntries(params)) } : {}),
    ...(query.length > 0 ? { query: z.strictObject(Object.fromEntries(query)) } : {}),
    ...(body.length > 0 ? { body: z.strictObject(Object.fromEntries(body)) } : {}),
    ...(file === undefined
      ? {}
      : {
          multipart: {
            fields: z.strictObject(Object.fromEntries(fields)),
            with: file.orMembers ? ("the file or the fields" as const) : ("fields beside the file" as const),
          },
        }),
  };
}

const pageFirst = (members: [string, z.ZodType][]) => {
  const isOfPage = ([name]: [string, z.ZodType]) => OF_PAGES.has(name);
  return [...members.filter(isOfPage), ...members.filter((member) => !isOfPage(member))];
};

/** Members of the query that say which page of a list is meant: platform.page of SQL. */
const OF_PAGES: ReadonlySet<string> = new Set(["cursor", "limit", "offset"]);

/** Whether a route may answer only a part of what it answers otherwise: chosen members, or a page without what is counted. */
export const answersPart = ({ query }: Pick<Route, "query">): boolean =>
  query !== undefined && ("fields" in query.shape || "cursor" in query.shape);

/** Whether a route reads a list, or something else that may take its time: it takes more than the members to answer. */
export const readsList = ({ query }: Pick<Route, "query">): boolean =>
  query !== undefined && Object.keys(query.shape).some((name) => name !== "fields");

/** The scope a route asks for, as its SQL function says; ANY_TOKEN when a good token is enough; null when anyone may call it. */
export function scopeOf(route: Pick<Route, "command">): string | null {
  return commandFacts(route.command).scope;
}
