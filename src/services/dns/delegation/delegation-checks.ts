import { NoAnswerError } from "../../../adapters/resolver/exchange.ts";
import { recordsAt } from "../../../adapters/resolver/message.ts";
import { type ObservedDelegation, observeDelegation } from "../../../adapters/resolver/observe-delegation.ts";
import { ParentServers } from "../../../adapters/resolver/parent-servers.ts";
import { PUBLIC_DNS_LIMITS, type PublicDns } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config/config.ts";
import { forRequests, publicDnsOf } from "./public-dns-of.ts";

/** A check that runs, or was recorded a short time ago. */
interface SharedCheck {
  /** The time of the database before the first question, as it writes it. */
  readonly began: string;
  readonly answers: Promise<ObservedDelegation>;
  /** On this process' clock, in milliseconds; infinite until it is recorded. */
  readonly ended: number;
}

/** Longer than a request waits for its first call of the database and for the public DNS. */
const KEPT_MS = 10_000;

/** Asks the public DNS about names. Several who check a delegation at once share the questions. */
export class Delegations {
  readonly #dns: PublicDns;
  readonly #parents = new ParentServers();
  readonly #checks = new Map<string, SharedCheck>();

  constructor(publicDns: PublicDns) {
    this.#dns = publicDns;
  }

  static of(config: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">): Delegations {
    return new Delegations(publicDnsOf(config, { groups: forRequests(PUBLIC_DNS_LIMITS.atOnce) }));
  }

  /**
   * Where the public DNS delegates a name to.
   * @param group whose question it is: organizations take turns
   * @throws SlotsBusyError, as the other methods do
   */
  observe(name: string, group: string): Promise<ObservedDelegation> {
    return observeDelegation(this.#dns, this.#parents, name, group);
  }

  /**
   * Checks a name and records what was found. Requests share a check that was running, or being recorded, when they
   * came. Each records it, and the record of one counts.
   * @param began the time of the database, as it writes it
   * @param since when the request came, by performance.now()
   */
  async check<Result>(
    name: string,
    { began, since, group }: { readonly began: string; readonly since: number; readonly group: string },
    record: (check: { readonly began: string; readonly answers: ObservedDelegation }) => Promise<Result>,
  ): Promise<Result> {
    const shared = this.#checks.get(name);
    if (shared !== undefined && shared.ended > since)
      return record({ began: shared.began, answers: await shared.answers });
    const check = { began, answers: this.observe(name, group), ended: Number.POSITIVE_INFINITY };
    this.#checks.set(name, check);
    try {
      return await record({ began, answers: await check.answers });
    } finally {
      check.ended = performance.now();
      setTimeout(() => {
        if (this.#checks.get(name) === check) this.#checks.delete(name);
      }, KEPT_MS).unref();
    }
  }

  /**
   * The contents of the TXT records by which the public DNS gives a name to an organization; none without an answer. CNAME records are not
   * followed: a wildcard would let its target speak for every name.
   */
  proofs(name: string, group: string): Promise<readonly string[]> {
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
    }, group);
  }
}
