import { ANY_TOKEN } from "../../postgres/command.ts";
import type { ErrorCode } from "../../postgres/migrate/api-catalog.ts";
import { takesKey } from "../operation.ts";
import { type Route, scopeOf } from "../rest/route.ts";
import { REQUEST_ID } from "./members.ts";
import { objectOf, type Schema } from "./schema.ts";

/** Codes a route can answer: those that follow from its shape, and its own. */
function errorCodesOf(route: Route): string[] {
  const scope = scopeOf(route);
  return [
    ...(route.errors ?? []),
    "malformed_request",
    ...(scope === null ? [] : ["unauthenticated"]),
    ...(scope === null || scope === ANY_TOKEN ? [] : ["missing_scope"]),
    "rate_limited",
    ...(takesKey(route.of, route.method) ? ["conflict"] : []),
    // Of a body, also of one that nobody asked for.
    ...(route.method === "GET" ? [] : ["too_large", "unsupported_media_type"]),
    // Unknown query parameters, if nothing else.
    "invalid_request",
    "internal_error",
    "unavailable",
  ];
}

/** Those codes by their status. */
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

/** Name of the schema of an error with one of these codes: NotFoundError, ProofNotFoundOrNotFoundError. */
export function errorName(codes: readonly string[]): string {
  const names = codes.map((code) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return names.join("Or").replace(/(?:Error)?$/, "Error");
}

/** An error with one of these codes. */
export function errorSchema(codes: readonly string[]): Schema {
  const detail = objectOf({
    code: { type: "string", enum: codes, description: "Branch on this." },
    message: { type: "string", description: "For people; may change." },
  });
  const fields = {
    type: "array",
    description: "Every member that is wrong.",
    items: objectOf({
      field: { type: "string", description: "Its name, as it was sent." },
      message: { type: "string", description: "Why." },
    }),
  };
  const told = {
    detail,
    request_id: { ...REQUEST_ID, description: "X-Request-Id of the answer: finds the request in our logs." },
    documentation: { type: "string", format: "uri", description: "The page that explains the code." },
  };
  return objectOf(codes.includes("invalid_request") ? { ...told, fields } : told);
}
