import { z } from "zod";
import { commandFacts } from "../../postgres/any-command.ts";
import { OF_FILE } from "../file-members.ts";
import { inputOf } from "../input.ts";
import { type Answers, formsOf, type Operation, type RestForm, takesContent } from "../operation.ts";

/** One documented path: an operation in one of its forms, with the shapes of its input. */
export interface Route<Parts = never> extends RestForm, Pick<Operation, "command" | "answers" | "errors"> {
  readonly of: Operation<Parts>;
  /** The name of the operation, or of this path of it. */
  readonly operation: string;
  readonly answers: Answers;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The shape of a JSON body. */
  readonly body?: z.ZodObject;
  /** The form, if the path also reads multipart/form-data: a file under `file`, and these fields. */
  readonly multipart?: Form;
}

export interface Form {
  readonly fields: z.ZodObject;
  /** The same request as JSON; null for a file whose content JSON cannot replace. */
  readonly asJson: z.ZodObject | null;
  /** Whether the description of the path has the form. */
  readonly isDescribed: boolean;
  /** Whether the fields stand beside the file or instead of it. */
  readonly with: "fields beside the file" | "the file or the fields";
}

/** The documented paths of services, in the order of `/docs`. */
export function routesOf<Parts>(
  services: readonly { readonly operations?: readonly Operation<Parts>[] }[],
): Route<Parts>[] {
  return services.flatMap(({ operations = [] }) => operations.flatMap(knownPathsOf));
}

/** The paths of operations that were asked for before: shapes are expensive to make, and each surface asks for all paths. */
const known = new WeakMap<object, Route[]>();

function knownPathsOf<Parts>(operation: Operation<Parts>): Route<Parts>[] {
  const paths = (known.get(operation) as Route<Parts>[] | undefined) ?? pathsOf(operation);
  known.set(operation, paths as Route[]);
  return paths;
}

function pathsOf<Parts>(operation: Operation<Parts>): Route<Parts>[] {
  const { name, command, answers, errors = [] } = operation;
  const forms = formsOf(operation);
  if (answers === undefined) {
    if (forms.length > 0) throw new Error(`operation ${name}: state what its path answers`);
    return [];
  }
  const own = { of: operation, command, answers, errors };
  return forms.map((form) => {
    const isFilesPlace = (other: RestForm) => other.takes === "file" && other.surface === form.surface;
    const shapes = shapesOf(operation, form, form.takes === "file" || !forms.some(isFilesPlace));
    return { ...form, ...shapes, ...own, operation: form.name };
  });
}

function shapesOf<Parts>(
  operation: Operation<Parts>,
  { method, path, takes, surface }: RestForm,
  isDescribed: boolean,
) {
  const ofMembers = surface?.isLenient ? z.object : z.strictObject;
  const { file } = operation;
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const texts = Object.entries(inputOf(operation as Operation, "text"));
  const members = Object.entries(inputOf(operation as Operation, "json")).filter(([name]) => !inPath.has(name));
  const params = texts.filter(([name]) => inPath.has(name));
  const query = method === "GET" ? pageFirst(texts.filter(([name]) => !inPath.has(name))) : [];
  const isFileAlone = takes === "file";
  const body = method === "GET" || takesContent(file) || isFileAlone ? [] : members;
  // Members of a form are texts, like those of a path or a query.
  const beside = texts.filter(([name]) => !inPath.has(name));
  const isEither = file?.kept === "digest" && file.orMembers === true && !isFileAlone;
  const fields = file?.kept === "digest" ? beside.filter(([name]) => isEither || !OF_FILE.has(name)) : beside;
  return {
    ...(params.length > 0 ? { params: ofMembers(Object.fromEntries(params)) } : {}),
    ...(query.length > 0 ? { query: ofMembers(Object.fromEntries(query)) } : {}),
    ...(body.length > 0 ? { body: ofMembers(Object.fromEntries(body)) } : {}),
    ...(file === undefined
      ? {}
      : {
          multipart: {
            fields: z.strictObject(Object.fromEntries(fields)),
            asJson: takesContent(file) ? null : z.strictObject(Object.fromEntries(members)),
            isDescribed,
            with: isEither ? ("the file or the fields" as const) : ("fields beside the file" as const),
          },
        }),
  };
}

const pageFirst = (members: [string, z.ZodType][]) => {
  const isOfPage = ([name]: [string, z.ZodType]) => OF_PAGES.has(name);
  return [...members.filter(isOfPage), ...members.filter((member) => !isOfPage(member))];
};

/** Query members that select a page of a list: platform.page of SQL. */
const OF_PAGES: ReadonlySet<string> = new Set(["cursor", "limit", "offset"]);

/** Whether a route can answer a part: chosen members, or a page without counts. */
export const answersPart = ({ query, surface }: Pick<Route, "query" | "surface">): boolean =>
  query !== undefined && ("fields" in query.shape || ("cursor" in query.shape && surface?.lists.isBare !== true));

/** Whether a route reads a list or another slow answer, which takes more query members than `fields`. */
export const readsList = ({ query }: Pick<Route, "query">): boolean =>
  query !== undefined && Object.keys(query.shape).some((name) => name !== "fields");

/** Whether a route can answer a file, and so a part of it, or that the caller has it already. */
export const answersFile = ({ answers }: Pick<Route, "answers">): boolean =>
  "file" in answers || ("or" in answers && answers.or !== undefined);

/** Whether a route reads only multipart/form-data. */
export const takesFileAlone = ({ takes }: Pick<Route, "takes">): boolean => takes === "file";

/** Whether a request may come without a body: each member of the body is optional. A PATCH or PUT changes something. */
export const takesNoBody = ({ body, method }: Pick<Route, "body" | "method">): boolean =>
  (method === "POST" || method === "DELETE") && body?.safeParse({}).success === true;

/** Whether a route takes the session of a person. */
export const takesSession = ({ session, surface, command }: Pick<Route, "session" | "surface" | "command">): boolean =>
  ((surface === undefined ? session : surface.takesSessions) ?? false) && commandFacts(command).scope !== null;

/** The scope that a route's SQL function needs; ANY_TOKEN if any valid token is enough; null if no token is needed. */
export function scopeOf(route: Pick<Route, "command">): string | null {
  return commandFacts(route.command).scope;
}
