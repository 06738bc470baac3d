import dns from "node:dns";
import { setTimeout } from "node:timers/promises";

const DNS_MS = 2_000;

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
  readonly #resolver = new dns.promises.Resolver({ timeout: DNS_MS, tries: 1 });

  /** @param servers in the form of node:dns; empty for the system's servers */
  constructor(servers: readonly string[] = []) {
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async resolve(name: string): Promise<string[]> {
    // Each server may take two seconds, but not all servers together. A server that is silent about one kind of address
    // does not block the other kind.
    const late = setTimeout(DNS_MS, null, { ref: false }).then((): never => {
      throw Object.assign(new Error("no name server answered in time"), { code: dns.TIMEOUT });
    });
    const [v4, v6] = await Promise.allSettled([
      Promise.race([this.#resolver.resolve4(name), late]),
      Promise.race([this.#resolver.resolve6(name), late]),
    ]);
    const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return found;
    throw v4.status === "rejected" ? v4.reason : new Error("no address");
  }
}
