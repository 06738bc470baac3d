import { plainName, recordsAt } from "./message.ts";
import type { Asking } from "./public-dns.ts";

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;
/** Most names above a name that are asked for: more than real names need, and few enough for the time of a task. */
const MOST_STEPS = 10;
const MOST_SERVERS = 13;

interface Kept {
  readonly servers: readonly string[];
  readonly until: number;
}

/** Finds the name servers of the zone above a name. They are kept for five minutes, because many names have one parent. */
export class ParentServers {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * The names of the servers of the nearest zone above a name.
   * @returns an empty list if the name above does not exist
   * @throws NoAnswerError if the resolver does not answer
   */
  async of(asking: Asking, name: string): Promise<readonly string[]> {
    let above = nameAbove(plainName(name));
    for (let step = 0; step < MOST_STEPS; step++) {
      const kept = this.#kept.get(above);
      if (kept !== undefined && kept.until > this.#now()) return kept.servers;
      const reply = await asking.resolve({ name: above === "" ? "." : above, type: "NS" });
      if (reply.status === "NXDOMAIN") return [];
      const servers = recordsAt(reply.answers, above, "NS").map(({ data }) => plainName(String(data)));
      if (servers.length > 0) return this.#keep(above, [...new Set(servers)].slice(0, MOST_SERVERS));
      if (above === "") return [];
      // An empty answer names the apex of its zone (RFC 2308 §3), which spares the names between.
      const apex = reply.authorities.filter(({ type }) => type === "SOA").map((soa) => plainName(soa.name));
      above = apex.find((each) => each !== above && (each === "" || above.endsWith(`.${each}`))) ?? nameAbove(above);
    }
    return [];
  }

  #keep(above: string, servers: readonly string[]): readonly string[] {
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(above, { servers, until: this.#now() + KEPT_MS });
    return servers;
  }
}

const nameAbove = (name: string): string => name.split(".").slice(1).join(".");
