const MOST_SECONDS = 86_400;

/**
 * Retry-After as seconds or a date (RFC 9110 §10.2.3), with or without blanks around it.
 * @param nowMs the present time, in milliseconds since 1970: dates are compared with it
 * @returns seconds, a day at most; null for any other form
 */
export function retryAfterSeconds(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), MOST_SECONDS);
  // A date begins with its weekday. Without this rule `-1` and `1.5` would be dates.
  const seconds = /^[A-Z]/i.test(text) ? Math.ceil((Date.parse(text) - nowMs) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MOST_SECONDS);
}
