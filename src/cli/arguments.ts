import { InvalidArgumentError } from "commander";

/** Readers of arguments and options; what they refuse ends the command with a message that names the option. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("must be a whole number");
  return Number(text);
}

export function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError("must be a UUID");
  return text;
}

export function instant(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError("must be an ISO 8601 time");
  return time;
}
