import dns from "node:dns";
import { NoAnswerError } from "../resolver/exchange.ts";
import { findAddresses } from "../resolver/find-addresses.ts";
import { PublicDns } from "../resolver/public-dns.ts";

const DNS_MS = 2_000;
/** Attempts of webhooks have their own limit. A slow name must not make the others wait. */
const AT_ONCE = Number.POSITIVE_INFINITY;

/** Finds the addresses of a name. */
export interface Resolver {
  /**
   * @returns IPv4 and IPv6 addresses, at least one
   * @throws Error with a code of node:dns if the name has no address, or if no server answers in time
   */
  resolve(name: string): Promise<string[]>;
}

/**
 * Asks name servers directly. The system's look-up (getaddrinfo) runs on four threads, which slow name servers would
 * block for everything else, and it knows names of the local network.
 */
export class DnsResolver implements Resolver {
  readonly #dns: PublicDns;

  /** @param servers in the form of node:dns; empty for the system's servers */
  constructor(servers: readonly string[] = []) {
    this.#dns = new PublicDns({
      ...(servers.length > 0 ? { resolvers: servers } : {}),
      // Each server may take two seconds, but not all servers together.
      taskMs: DNS_MS,
      atOnce: AT_ONCE,
    });
  }

  async resolve(name: string): Promise<string[]> {
    try {
      const found = await this.#dns.task((asking) => findAddresses(asking, name));
      if (found.length > 0) return found;
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      throw Object.assign(new Error(error.message), { code: dns.TIMEOUT });
    }
    throw Object.assign(new Error("no address"), { code: dns.NODATA });
  }
}
