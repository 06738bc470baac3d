import { NoAnswerError } from "../../../adapters/resolver/exchange.ts";
import { recordsAt } from "../../../adapters/resolver/message.ts";
import { type ObservedDelegation, observeDelegation } from "../../../adapters/resolver/observe-delegation.ts";
import { ParentServers } from "../../../adapters/resolver/parent-servers.ts";
import { PublicDns } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config.ts";

/** A check that runs, or has just ended. */
interface SharedCheck {
  /** The time of the database before the first question. */
  readonly began: string;
  readonly answers: Promise<ObservedDelegation>;
}

/** Asks the public DNS about names. Several who ask for a delegation at once share the questions. */
export class Delegations {
  readonly #dns: PublicDns;
  readonly #parents = new ParentServers();
  readonly #running = new Map<string, SharedCheck>();

  constructor(publicDns: PublicDns) {
    this.#dns = publicDns;
  }

  static of({ dnsResolvers, dnsLoopbackPort }: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">): Delegations {
    return new Delegations(
      new PublicDns({ ...(dnsResolvers ? { resolvers: dnsResolvers } : {}), loopbackPort: dnsLoopbackPort }),
    );
  }

  /** Where the public DNS delegates a name to. */
  observe(name: string): Promise<ObservedDelegation> {
    return this.check(name, "").answers;
  }

  /**
   * The check of a name that runs, or a new one.
   * @param began the time of the database, as it writes it
   */
  check(name: string, began: string): SharedCheck {
    const running = this.#running.get(name);
    // An observation without a time cannot be recorded.
    if (running !== undefined && (running.began !== "" || began === "")) return running;
    const answers = observeDelegation(this.#dns, this.#parents, name).finally(() => {
      if (this.#running.get(name) === check) this.#running.delete(name);
    });
    const check: SharedCheck = { began, answers };
    this.#running.set(name, check);
    return check;
  }

  /**
   * The contents of the TXT records by which the public DNS gives a name to an organization; none without an answer. CNAME records are not
   * followed: a wildcard would let its target speak for every name.
   */
  proofs(name: string): Promise<readonly string[]> {
    const owner = `_selo-challenge.${name}`;
    return this.#dns.task(async (asking) => {
      try {
        const { answers } = await asking.resolve({ name: owner, type: "TXT" });
        return recordsAt(answers, owner, "TXT")
          .map(({ data }) => [data].flat().join(""))
          .filter((text) => text.startsWith("selo-organization=") && text.length < 100)
          .slice(0, 100);
      } catch (error) {
        if (error instanceof NoAnswerError) return [];
        throw error;
      }
    });
  }
}
