import { NoAnswerError } from "../../../adapters/resolver/exchange.ts";
import { findAddresses } from "../../../adapters/resolver/find-addresses.ts";
import { plainName, type Question, type Reply, recordsAt } from "../../../adapters/resolver/message.ts";
import { type Asking, isDecided } from "../../../adapters/resolver/public-dns.ts";

/** Most servers of a provider that are asked. */
const MOST_SERVERS = 4;
/** A server that failed so often in a row is not asked again. */
const MOST_FAILURES = 3;

/** The name servers to which the public DNS delegates a domain now. Strangers name them, so only public addresses are asked. */
export class Provider {
  /** The domain. */
  readonly zone: string;
  readonly #asking: Asking;
  readonly #servers: readonly { readonly address: string; failures: number }[];

  private constructor(asking: Asking, zone: string, addresses: readonly string[]) {
    this.#asking = asking;
    this.zone = zone;
    this.#servers = addresses.map((address) => ({ address, failures: 0 }));
  }

  /** @returns null if the public DNS shows no server that may be asked */
  static async find(asking: Asking, name: string): Promise<Provider | null> {
    try {
      const { answers } = await asking.resolve({ name, type: "NS" });
      const hosts = recordsAt(answers, name, "NS").map(({ data }) => plainName(String(data)));
      const found = await Promise.all(
        hosts.slice(0, MOST_SERVERS).map((host) => findAddresses(asking, host).catch(() => [])),
      );
      // The first is IPv4 where there is one: not every machine reaches IPv6.
      const addresses = found.flatMap((each) => each.filter((address) => asking.isAllowed(address)).slice(0, 1));
      return addresses.length === 0 ? null : new Provider(asking, name, [...new Set(addresses)]);
    } catch (error) {
      if (error instanceof NoAnswerError) return null;
      throw error;
    }
  }

  /** Asks the servers one after the other until one answers; null if none does, or no time is left. */
  async ask(question: Question): Promise<Reply | null> {
    for (const server of this.#servers) {
      if (server.failures >= MOST_FAILURES) continue;
      try {
        const reply = await this.#asking.direct(server.address, question);
        server.failures = 0;
        if (isDecided(reply) && (reply.isAuthoritative || this.#isReferral(reply))) return reply;
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        server.failures += 1;
      }
    }
    return null;
  }

  /** Whether it says who answers for a name below the zone. A server that knows nothing of the zone points above it. */
  #isReferral({ answers, authorities }: Reply): boolean {
    return (
      answers.length === 0 &&
      authorities.some(({ type, name }) => type === "NS" && plainName(name).endsWith(`.${this.zone}`))
    );
  }
}
