import { MOST_IN_SET } from "./answers.ts";

/** What the caller should know about a scan. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Most records of a scan. A hostile server may answer with more. */
export const MOST_RECORDS = 1_000;
/** Most names in the words of a warning. */
const MOST_NAMED = 5;

export const INCOMPLETE: Warning = {
  code: "scan_incomplete",
  message:
    "A quick scan asks for common names only and is never complete. Compare the records with those at the present provider before you change the nameservers.",
};

export const NO_SERVERS: Warning = {
  code: "scan_no_servers",
  message: "The public DNS shows no nameserver of the domain that can be queried at a public address.",
};

/** What a scan met with. */
export interface Met {
  readonly hasWildcard: boolean;
  /** The sets of wildcards that differ each time, such as `*.example.com A`. */
  readonly rotating: readonly string[];
  /** The questions that nobody answered, such as `www.example.com A`. */
  readonly unanswered: readonly string[];
  readonly isCut: boolean;
}

/** The warnings of a scan that asked somebody, beside `INCOMPLETE`. */
export function warningsOf({ hasWildcard, rotating, unanswered, isCut }: Met): readonly Warning[] {
  const all: readonly (Warning | false)[] = [
    hasWildcard && {
      code: "scan_wildcard",
      message:
        'The domain answers for names that do not exist. Those answers became records of "*", and names with the same answers were left out.',
    },
    rotating.length > 0 && {
      code: "scan_wildcard_rotates",
      message: `The domain answers differently each time for names that do not exist: ${named(rotating)}. The records of "*" are those that were seen, and the wildcard may have more. Names whose answers look like those of the wildcard were left out, so their own records may be missing. Compare these types with those at the present provider.`,
    },
    unanswered.length > 0 && {
      code: "scan_unanswered",
      message: `In the time of the scan, ${unanswered.length} of its queries got no answer, such as ${named(unanswered)}.`,
    },
    isCut && {
      code: "scan_cut",
      message: `The nameservers answered with more records than a scan takes: ${MOST_IN_SET} of a name and type, ${MOST_RECORDS} together.`,
    },
  ];
  return all.filter((each) => each !== false);
}

const named = (all: readonly string[]): string => all.slice(0, MOST_NAMED).join(", ");
