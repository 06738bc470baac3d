import { spokenTime } from "../../../adapters/pdf/spoken-time.ts";
import type { Caption } from "../../../adapters/pdf-seal/stamp.ts";

/** An instant as signature.clock_of says it. */
export interface Clock {
  readonly utc: string;
  /** What a clock in the organization's zone shows, such as 2026-11-21T14:47:09.123456. */
  readonly local: string;
  /** Such as -03:00. */
  readonly offset: string;
}

/** What stands below a signature. */
export interface Signed {
  readonly name: string;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly code: string;
  /** The address of the page that takes the code. */
  readonly verifyUrl: string | null;
}

/** What final documents say in the language of their envelope. */
export interface StampWords {
  /** A day such as 2026-11-21, as people write it. */
  readonly day: (day: string) => string;
  readonly caption: (signed: Signed) => Caption;
  /** Below the name of somebody who signs with a certificate, drawn before the signature: nobody knows its time yet. */
  readonly certified: (signed: Pick<Signed, "name" | "code" | "verifyUrl">) => Caption;
}

const english = spokenTime("en-GB");
const portuguese = spokenTime("pt-BR");
const dayInEnglish = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const dayInPortuguese = new Intl.DateTimeFormat("pt-BR", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  timeZone: "UTC",
});

/** @param language a tag; what is not Portuguese is English */
export function stampWords(language: string): StampWords {
  const isPortuguese = /^pt\b/i.test(language);
  const { zone } = isPortuguese ? portuguese : english;
  const days = isPortuguese ? dayInPortuguese : dayInEnglish;
  const day = (text: string) => days.format(new Date(`${text}T00:00:00Z`));
  const found = ({ code, verifyUrl }: Pick<Signed, "code" | "verifyUrl">) => {
    const named = isPortuguese ? `Código ${code}` : `Code ${code}`;
    const address = verifyUrl?.replace(/^https?:\/\//, "");
    if (address === undefined) return { code: named, codeAndAddress: named };
    return {
      code: named,
      codeAndAddress: isPortuguese ? `${named}, verifique em ${address}` : `${named}, verify at ${address}`,
    };
  };
  return {
    day,
    certified: ({ name, ...signed }) => ({ name, time: "ICP-Brasil", ...found(signed) }),
    caption: ({ name, clock, timeZone, code, verifyUrl }) => {
      const spoken = zone(timeZone, clock.offset, clock.utc);
      const place =
        spoken === null ? "UTC" : spoken.includes("UTC") ? spoken : `${spoken}, UTC${shortened(clock.offset)}`;
      return {
        name,
        time: `${day(clock.local.slice(0, 10))}, ${clock.local.slice(11, 19)} (${place})`,
        ...found({ code, verifyUrl }),
      };
    },
  };
}

/** `-03:00` is `−3`, `+05:30` is `+5:30`. */
const shortened = (offset: string) =>
  offset
    .replace("-", "\u2212")
    .replace(/^(.)0(\d)/, "$1$2")
    .replace(/:00$/, "");
