import { NoAnswerError } from "./exchange.ts";
import { plainName, type Reply, recordsAt } from "./message.ts";
import type { Asking } from "./public-dns.ts";

/** Most CNAME records that are followed, as resolvers do. */
const MOST_ALIASES = 8;

/**
 * The addresses of a name, IPv4 first. A resolver puts the chain of CNAME records into its answer, and only what the chain leads to counts.
 * @returns an empty list for a name without addresses
 * @throws NoAnswerError if one kind of address was not answered, and the other has none
 */
export async function findAddresses(asking: Pick<Asking, "resolve">, name: string): Promise<string[]> {
  const kinds = (["A", "AAAA"] as const).map(async (type) => {
    const reply = await asking.resolve({ name, type });
    return recordsAt(reply.answers, endOfChain(reply, name), type).map(({ data }) => String(data));
  });
  const found = await Promise.allSettled(kinds);
  const addresses = found.flatMap((kind) => (kind.status === "fulfilled" ? kind.value : []));
  const failed = found.find((kind) => kind.status === "rejected");
  if (addresses.length === 0 && failed !== undefined) throw failed.reason;
  return addresses;
}

/** @throws NoAnswerError for a chain that is too long, or leads back */
function endOfChain({ answers }: Reply, name: string): string {
  let at = plainName(name);
  for (let step = 0; step <= MOST_ALIASES; step++) {
    const [alias] = recordsAt(answers, at, "CNAME");
    if (alias === undefined) return at;
    at = plainName(String(alias.data));
  }
  throw new NoAnswerError("the name leads to too many names");
}
