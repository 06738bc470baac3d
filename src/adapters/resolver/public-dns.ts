import dns from "node:dns";
import { isIP } from "node:net";
import { FairSlots, type FairSlotsOptions } from "../fair-slots.ts";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";
import { askServer, type DnsServer, NoAnswerError } from "./exchange.ts";
import type { Question, Reply } from "./message.ts";

export interface PublicDnsOptions {
  /** Resolvers: IP addresses, each with a port if it is not 53; those of the system by default. */
  readonly resolvers?: readonly string[];
  /**
   * Name servers that strangers name are asked at public addresses alone. With this port, they are asked at loopback addresses too, and
   * there at this port: for development and tests.
   */
  readonly loopbackPort?: number | null;
  readonly queryMs?: number;
  readonly taskMs?: number;
  /** Most tasks that run at once. */
  readonly atOnce?: number;
  /** What one group of tasks may have, and how many may wait; one group may have everything by default, and none is refused. */
  readonly groups?: FairSlotsOptions;
}

/** What holds unless the options say otherwise. */
export const PUBLIC_DNS_LIMITS = { queryMs: 2_000, taskMs: 5_000, atOnce: 50 } as const;
const DNS_PORT = 53;

/** What a task asks with. Each method throws NoAnswerError if no answer comes before the query, or the whole task, takes too long. */
export interface Asking {
  /** Asks the resolvers, one after the other until one answers: a resolver that fails or refuses has not. */
  resolve(question: Question): Promise<Reply>;
  /** Asks a name server for what it knows itself. An address that is not public is not asked. */
  direct(address: string, question: Question): Promise<Reply>;
  /** Whether a name server may be asked at this address. */
  isAllowed(address: string): boolean;
}

/** Asks the public DNS. Fifty tasks run at once, each for five seconds at most. */
export class PublicDns {
  readonly #resolvers: readonly DnsServer[];
  readonly #loopbackPort: number | null;
  readonly #queryMs: number;
  readonly #taskMs: number;
  readonly #slots: FairSlots;

  constructor(options: PublicDnsOptions = {}) {
    const { resolvers = dns.getServers(), loopbackPort = null } = options;
    this.#resolvers = resolvers.map(serverOf);
    this.#loopbackPort = loopbackPort;
    const { queryMs, taskMs, atOnce, groups } = { ...PUBLIC_DNS_LIMITS, ...options };
    this.#queryMs = queryMs;
    this.#taskMs = taskMs;
    this.#slots = new FairSlots(atOnce, { perGroup: atOnce, ...groups });
  }

  /**
   * Runs a task. Its time begins with its turn, and groups take turns.
   * @param group whose task it is: an opaque name
   * @throws SlotsBusyError if more tasks wait than the options let; what `work` throws
   */
  task<Result>(work: (asking: Asking) => Promise<Result>, group = ""): Promise<Result> {
    return this.#slots.run(group, () => work(this.#asking(performance.now() + this.#taskMs)));
  }

  #asking(ends: number): Asking {
    // A server that is silent leaves time for those that are asked after it.
    const ask = async (server: DnsServer, question: Question, recursive: boolean, serversAfter = 0) => {
      const left = (ends - performance.now()) / (serversAfter + 1);
      if (left <= 0) throw new NoAnswerError("no time is left");
      return askServer(server, question, { recursive, timeoutMs: Math.min(this.#queryMs, left) });
    };
    const isAllowed = (address: string) => isPublicAddress(address) || this.#loopbackFor(address) !== null;
    return {
      isAllowed,
      resolve: async (question) => {
        for (const [place, server] of this.#resolvers.entries()) {
          const after = this.#resolvers.length - place - 1;
          const reply = await ask(server, question, true, after).catch(unlessSilent);
          if (reply !== null && isDecided(reply)) return reply;
        }
        throw new NoAnswerError("no resolver answered");
      },
      direct: async (address, question) => {
        if (!isAllowed(address)) throw new NoAnswerError("the address is not public");
        return ask({ host: address, port: this.#loopbackFor(address) ?? DNS_PORT }, question, false);
      },
    };
  }

  #loopbackFor(address: string): number | null {
    return isLoopbackAddress(address) ? this.#loopbackPort : null;
  }
}

/** Whether an answer says what there is. SERVFAIL, REFUSED and others say nothing about the name. */
export const isDecided = ({ status }: Reply): boolean => status === "NOERROR" || status === "NXDOMAIN";

function unlessSilent(error: unknown): null {
  if (error instanceof NoAnswerError) return null;
  throw error;
}

/** The form of node:dns: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353`. */
function serverOf(text: string): DnsServer {
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const host = ipv6 ?? ipv4 ?? text;
  if (isIP(host) === 0) throw new Error(`${text} is no address of a name server`);
  return { host, port: port === undefined ? DNS_PORT : Number(port) };
}
