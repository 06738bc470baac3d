import { InvalidArgumentError } from "commander";

/** Parsers of arguments and options. An invalid value ends the command with a message that names the option. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be a whole number, 0 or more");
  return Number(text);
}

export function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError("must be a UUID");
  return text;
}

/** Year, month, day; then optionally a time of day with its offset. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** An instant that is the same everywhere; Date accepts much more, for instance "1" for the year 2001. A day begins at 00:00 UTC. */
export function instant(text: string): Date {
  const [, day = ""] = INSTANT.exec(text) ?? [];
  // Date turns days that a month does not have into days of the next month.
  const begin = new Date(day);
  if (Number.isNaN(begin.getTime()) || begin.toISOString().slice(0, 10) !== day)
    throw new InvalidArgumentError(
      "must be an ISO 8601 time with Z or an offset, such as 2030-01-31T12:00:00Z, or a day, which begins at 00:00 UTC",
    );
  return new Date(text);
}

export function httpAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError("must be an http:// or https:// address");
  return text;
}
