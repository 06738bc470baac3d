import { NoAnswerError } from "./exchange.ts";
import { plainName, type Reply, recordsAt, shownName } from "./message.ts";
import type { Asking } from "./public-dns.ts";

/** What the public DNS says about the addresses of one type that a name has. */
export interface TargetAnswer {
  readonly type: "A" | "AAAA";
  /** `empty`: the name has none, or does not exist, or leads to itself. `failed`: nobody answered. */
  readonly status: "found" | "empty" | "failed";
  readonly addresses: readonly string[];
  /** The smallest TTL on the way, in seconds; null without addresses. */
  readonly ttl: number | null;
  /** The names that CNAME records led to, in order, in the form of {@link shownName}. */
  readonly cnames: readonly string[];
}

/** Most CNAME records that are followed, as resolvers do. */
const MOST_CNAMES = 8;
/** More addresses than any service needs; a hostile answer ends here. */
const MOST_ADDRESSES = 50;

/** Asks a resolver for the addresses of a name. Never throws NoAnswerError. */
export const askTarget = (asking: Pick<Asking, "resolve">, name: string): Promise<TargetAnswer[]> =>
  Promise.all(
    (["A", "AAAA"] as const).map(async (type) => {
      try {
        return answerOf(await asking.resolve({ name, type }), name, type);
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        return { type, status: "failed", addresses: [], ttl: null, cnames: [] };
      }
    }),
  );

function answerOf({ answers }: Reply, name: string, type: "A" | "AAAA"): TargetAnswer {
  const chain: string[] = [];
  const ttls: number[] = [];
  let at = plainName(name);
  for (;;) {
    const [cname] = recordsAt(answers, at, "CNAME");
    if (cname === undefined) break;
    const next = plainName(String(cname.data));
    // A loop has no addresses, and neither has a chain that no resolver follows.
    if (next === plainName(name) || chain.includes(next) || chain.length === MOST_CNAMES)
      return { type, status: "empty", addresses: [], ttl: null, cnames: chain.map(shownName) };
    chain.push(next);
    ttls.push(cname.ttl ?? 0);
    at = next;
  }
  const cnames = chain.map(shownName);
  const found = recordsAt(answers, at, type);
  const addresses = [...new Set(found.map(({ data }) => String(data)))].toSorted().slice(0, MOST_ADDRESSES);
  if (addresses.length === 0) return { type, status: "empty", addresses, ttl: null, cnames };
  return { type, status: "found", addresses, ttl: Math.min(...ttls, ...found.map(({ ttl }) => ttl ?? 0)), cnames };
}
