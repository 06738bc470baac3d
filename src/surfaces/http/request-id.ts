import { randomUUID } from "node:crypto";

/** The form of a caller's X-Request-Id. The audit trail keeps at most this many characters. */
export const REQUEST_ID_FORM = { least: 1, most: 100, pattern: "^[A-Za-z0-9._-]+$" } as const;
const FORM = new RegExp(REQUEST_ID_FORM.pattern);

/** The caller's X-Request-Id if it has the form {@link REQUEST_ID_FORM}; otherwise a new UUID. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && header.length <= REQUEST_ID_FORM.most && FORM.test(header)
    ? header
    : randomUUID();
}
