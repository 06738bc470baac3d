import { type Der, DerError, TAG } from "../../certificates/der.ts";

/** A UTCTime or GeneralizedTime in the one form that RFC 5280 (4.1.2.5) lets both have: with seconds, in UTC. */
export function readTime(value: Der | undefined): Date {
  const text = value?.content.toString("latin1") ?? "";
  const short = value?.tag === TAG.utcTime;
  if (!short && value?.tag !== TAG.generalizedTime) throw new DerError("a time is missing");
  const parts = /^(\d{2,4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const [, year = "", month, day, hour, minute, second] = parts ?? [];
  if (year.length !== (short ? 2 : 4)) throw new DerError("the time has another form");
  const whole = short ? `${Number(year) < 50 ? "20" : "19"}${year}` : year;
  const time = new Date(`${whole}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time.getTime())) throw new DerError("there is no such time");
  return time;
}
