import { ERROR_FACTS } from "../../errors/app-error.ts";
import { ANY_TOKEN } from "../../postgres/command.ts";
import type { ErrorCode } from "../../postgres/migrate/api-catalog.ts";
import { takesKey, writes } from "../operation.ts";
import { answersFile, type Route, scopeOf, takesSession } from "../rest/route.ts";
import { REQUEST_ID } from "./members.ts";
import { objectOf, type Schema } from "./schema.ts";

/** The codes that a route can answer: those that follow from its form, and its own codes. */
function errorCodesOf(route: Route): string[] {
  const scope = scopeOf(route);
  const refusals = route.surface?.credentials.refusals;
  const { organizationIn } = route.surface ?? {};
  const usual = ["unauthenticated", ...(scope === ANY_TOKEN ? [] : ["missing_scope"])];
  const codes = [
    ...(route.errors ?? []),
    "malformed_request",
    ...(scope === null ? [] : (refusals ?? usual)),
    // Another organization's number in the path.
    ...(organizationIn !== undefined && route.path.includes(`{${organizationIn.parameter}}`) ? ["forbidden"] : []),
    ...(takesSession(route) ? sessionCodesOf(route) : []),
    ...(answersFile(route) ? ["range_not_satisfiable"] : []),
    "rate_limited",
    ...(takesKey(route.of, route) && route.of.keepsKey === undefined ? ["conflict"] : []),
    // Codes about a body, also for a body that the route does not take.
    ...(route.method === "GET" ? [] : ["too_large", "unsupported_media_type"]),
    // At least unknown query parameters are possible on every route.
    "invalid_request",
    "internal_error",
    "unavailable",
  ];
  // The route's own code may also follow from its form.
  return [...new Set(codes)];
}

/** Further errors for a request by a session. Every role may read, so what only reads answers `forbidden` only where it needs a session. */
function sessionCodesOf({ method, surface, of }: Route): string[] {
  const isRead = method === "GET" || !writes(of);
  return [
    "session_expired",
    ...(isRead && !surface?.takesSessions ? [] : ["forbidden"]),
    ...(method === "GET" ? [] : ["csrf"]),
  ];
}

/** These codes by status. */
export function errorsByStatus(
  route: Route,
  errorCodes: ReadonlyMap<string, ErrorCode>,
): Map<number, { readonly codes: string[]; readonly meaning: string }> {
  const statuses = Map.groupBy(errorCodesOf(route), (code) => codeNamed(code, errorCodes).status);
  return new Map(
    [...statuses].map(([status, codes]) => {
      const meanings = codes.map((code) => `\`${code}\`: ${codeNamed(code, errorCodes).meaning}`);
      return [status, { codes, meaning: meanings.join("\n\n") }];
    }),
  );
}

function codeNamed(code: string, errorCodes: ReadonlyMap<string, ErrorCode>): ErrorCode {
  const found = errorCodes.get(code);
  if (found === undefined) throw new Error(`${code} is not registered in platform.error_codes`);
  return found;
}

/** The name of the schema for an error with one of these codes: NotFoundError, ProofNotFoundOrNotFoundError. */
export function errorName(codes: readonly string[]): string {
  const names = codes.map((code) => code.replaceAll(/(?:^|[_:])(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return names.join("Or").replace(/(?:Error)?$/, "Error");
}

/** An error with one of these codes. */
export function errorSchema(codes: readonly string[]): Schema {
  const facts = Object.entries(ERROR_FACTS).filter(([, fact]) => fact.codes.some((code) => codes.includes(code)));
  const detail = objectOf(
    {
      code: { type: "string", enum: codes, description: "Stable: branch on the code." },
      message: { type: "string", description: "For people: may change." },
      ...Object.fromEntries(
        facts.map(([name, { codes: of, type, description }]) => [
          name,
          { type, description: `${description} With ${of.map((code) => `\`${code}\``).join(" and ")} alone.` },
        ]),
      ),
    },
    facts.map(([name]) => name),
  );
  const fields = {
    type: "array",
    description: "Each wrong member.",
    items: objectOf({
      field: { type: "string", description: "The member's name, as it was sent." },
      message: { type: "string", description: "The reason." },
    }),
  };
  const told = {
    detail,
    request_id: { ...REQUEST_ID, description: "X-Request-Id of the answer. It identifies the request in our logs." },
    documentation: { type: "string", format: "uri", description: "The page that explains the code." },
  };
  return objectOf(codes.includes("invalid_request") ? { ...told, fields } : told);
}
