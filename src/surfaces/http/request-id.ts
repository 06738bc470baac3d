import { randomUUID } from "node:crypto";

/** What an X-Request-Id of a caller may be. The audit trail keeps at most as many characters. */
export const REQUEST_ID_FORM = { least: 1, most: 100, pattern: "^[A-Za-z0-9._-]+$" } as const;
const FORM = new RegExp(REQUEST_ID_FORM.pattern);

/** The caller's own X-Request-Id where it has {@link REQUEST_ID_FORM}; otherwise a new UUID. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && header.length <= REQUEST_ID_FORM.most && FORM.test(header)
    ? header
    : randomUUID();
}
