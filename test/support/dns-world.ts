// A small public DNS on loopback: a resolver and the servers of a parent, each at its own address, all at one port. They speak the real
// protocol over UDP and TCP.
import dgram from "node:dgram";
import net, { isIP } from "node:net";
import { type Answer, type DecodedPacket, decode, encode, type Packet, type RecordType } from "dns-packet";

/** What a server answers; null: nothing. A buffer is sent as it is. */
export type Says =
  | {
      readonly rcode?: number;
      readonly aa?: boolean;
      readonly answers?: readonly Answer[];
      readonly authorities?: readonly Answer[];
      /** Over UDP the answer is cut. */
      readonly truncated?: boolean;
      /** Members of the message that differ from those of an honest server. */
      readonly forged?: Partial<Packet>;
    }
  | Buffer
  | null;

export interface Asked {
  /** In lower case. */
  readonly name: string;
  readonly type: RecordType;
  readonly isRecursive: boolean;
  readonly overTcp: boolean;
  /** The whole query. */
  readonly packet: DecodedPacket;
}

/** Answers a question, or several times: a forged answer before the true one. */
export type Server = (asked: Asked) => Says | readonly Says[] | Promise<Says>;

export const NXDOMAIN = 3;
export const SERVFAIL = 2;
export const REFUSED = 5;

const RESOLVER = "127.0.0.1";
/** The addresses of the parent's servers, by their names. */
export const PARENTS = { "a.nic.test": "127.0.0.2", "b.nic.test": "127.0.0.3", "c.nic.test": "127.0.0.4" } as const;
export type ParentName = keyof typeof PARENTS;

/** What the resolver, or a server of the parent, knows of a name. `silent` and `fails` are no answers. */
export type Known = readonly string[] | "silent" | "fails";

/** The public DNS below the name test. */
export class DnsWorld {
  /** What the resolver says of a name's NS records; NXDOMAIN for names that are not here. */
  readonly resolved = new Map<string, Known>();
  /** What the parent's servers say in their referrals; one server may differ. */
  readonly referrals = new Map<string, Known | Readonly<Partial<Record<ParentName, Known>>>>();
  readonly ds = new Map<
    string,
    readonly { keyTag: number; algorithm: number; digestType: number; digest: Buffer }[] | "fails"
  >();
  readonly texts = new Map<string, readonly string[]>();
  /** Names that the resolver follows to others. */
  readonly cnames = new Map<string, string>();
  /** What the resolver says about addresses in place of `addresses`. */
  readonly failing = new Map<string, "silent" | "fails">();
  /** The TTL of addresses and of CNAME records, in seconds. */
  readonly ttls = new Map<string, number>();
  readonly addresses = new Map<string, readonly string[]>(Object.entries(PARENTS).map(([name, ip]) => [name, [ip]]));
  /** The servers of the parent, as the resolver names them. */
  parents: readonly string[] = Object.keys(PARENTS);
  /** All questions, such as "127.0.0.1 NS shop.test". */
  readonly questions: string[] = [];
  /** The whole public DNS is silent. */
  isDead = false;
  /** Replaces what a server says. */
  readonly servers = new Map<string, Server>();
  readonly #sockets: dgram.Socket[] = [];
  readonly #listeners: net.Server[] = [];
  #port = 0;

  static async start(): Promise<DnsWorld> {
    for (let attempt = 1; ; attempt++) {
      const world = new DnsWorld();
      try {
        for (const address of [RESOLVER, ...Object.values(PARENTS)]) await world.#listen(address);
        return world;
      } catch (error) {
        await world.close();
        if (attempt === 20) throw error;
      }
    }
  }

  get port(): number {
    return this.#port;
  }

  /** For DNS_RESOLVERS. */
  get resolver(): string {
    return `${RESOLVER}:${this.#port}`;
  }

  /** The settings of processes that ask this world. */
  get environment(): Readonly<Record<string, string>> {
    return { DNS_RESOLVERS: this.resolver, DNS_LOOPBACK_PORT: String(this.#port) };
  }

  /** Everybody says these NS records. Null: the name is not there. */
  delegate(name: string, ns: readonly string[] | null): void {
    if (ns === null) {
      this.resolved.delete(name);
      this.referrals.delete(name);
    } else {
      this.resolved.set(name, ns);
      this.referrals.set(name, ns);
    }
  }

  /** How often something was asked: "NS shop.test", at any server. */
  asked(question: string): number {
    return this.questions.filter((each) => each.endsWith(` ${question}`)).length;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.close();
    await Promise.all(this.#listeners.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #listen(address: string): Promise<void> {
    const socket = dgram.createSocket("udp4");
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(this.#port, address, resolve);
    });
    this.#sockets.push(socket);
    this.#port = socket.address().port;
    socket.on("message", async (message, from) => {
      for (const answer of await this.#answers(address, message, false)) socket.send(answer, from.port, from.address);
    });
    const server = net.createServer((connection) => {
      connection.on("error", () => {});
      connection.once("data", async (bytes) => {
        for (const answer of await this.#answers(address, bytes.subarray(2), true)) {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          connection.write(Buffer.concat([length, answer]));
        }
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, address, resolve);
    });
    this.#listeners.push(server);
  }

  async #answers(address: string, bytes: Buffer, overTcp: boolean): Promise<Buffer[]> {
    const packet = decode(bytes);
    const [question] = packet.questions ?? [];
    if (question === undefined) return [];
    const name = question.name === "." ? "" : question.name.toLowerCase();
    const asked = { name, type: question.type, isRecursive: packet.flag_rd, overTcp, packet };
    this.questions.push(`${address} ${question.type} ${name === "" ? "." : name}`);
    if (this.isDead) return [];
    const own = this.servers.get(address);
    const says = own === undefined ? this.honest(address, asked) : await own(asked);
    return (Array.isArray(says) ? says : [says]).flatMap((each) => encoded(each, asked));
  }

  /** What a server says unless a test replaces it. */
  honest(address: string, asked: Asked): Says {
    return address === RESOLVER ? this.#resolve(asked) : this.#refer(address, asked);
  }

  #resolve({ name, type }: Asked): Says {
    if (type === "A" || type === "AAAA") {
      const failing = this.failing.get(name);
      if (failing !== undefined) return failing === "silent" ? null : { rcode: SERVFAIL };
      const answers: Answer[] = [];
      let at = name;
      for (let cname = this.cnames.get(at); cname !== undefined && answers.length < 20; cname = this.cnames.get(at)) {
        answers.push({ name: at, type: "CNAME", data: cname, ttl: this.ttls.get(at) ?? 0 });
        at = cname;
      }
      const found = (this.addresses.get(at) ?? []).filter((each) => isIP(each) === (type === "A" ? 4 : 6));
      if (!this.addresses.has(at) && answers.length < 20) return { rcode: NXDOMAIN, answers };
      return { answers: [...answers, ...found.map((data) => ({ name: at, type, data, ttl: this.ttls.get(at) ?? 0 }))] };
    }
    if (type === "TXT") {
      const texts = this.texts.get(name);
      return texts === undefined ? { rcode: NXDOMAIN } : { answers: texts.map((data) => ({ name, type, data })) };
    }
    if (type !== "NS") return { rcode: NXDOMAIN };
    if (name === "test") return { answers: nsOf(name, this.parents) };
    return said(this.resolved.get(name), (ns) => ({ answers: nsOf(name, ns) }));
  }

  #refer(address: string, { name, type }: Asked): Says {
    const [server] = Object.entries(PARENTS).find(([, ip]) => ip === address) ?? [];
    const known = this.referrals.get(name);
    const own =
      known === undefined || typeof known === "string" || Array.isArray(known)
        ? (known as Known | undefined)
        : (known as Partial<Record<string, Known>>)[server ?? ""];
    if (type === "DS") {
      if (own === "silent") return null;
      const data = this.ds.get(name) ?? [];
      if (data === "fails") return { rcode: SERVFAIL };
      return { aa: true, answers: data.map((each) => ({ name, type: "DS", data: each })) };
    }
    return said(own, (ns) => (ns.length === 0 ? { aa: true } : { authorities: nsOf(name, ns) }));
  }
}

const nsOf = (name: string, ns: readonly string[]): Answer[] => ns.map((data) => ({ name, type: "NS", data }));

function said(known: Known | undefined, say: (ns: readonly string[]) => Says): Says {
  if (known === undefined) return { rcode: NXDOMAIN, aa: true };
  if (known === "silent") return null;
  return known === "fails" ? { rcode: SERVFAIL } : say(known);
}

/** The bytes of an answer to a question. */
export function encoded(says: Says, { packet, overTcp }: Pick<Asked, "packet" | "overTcp">): Buffer[] {
  if (says === null) return [];
  if (Buffer.isBuffer(says)) return [says];
  const { rcode = 0, aa = false, answers = [], authorities = [], truncated = false, forged = {} } = says;
  const isCut = truncated && !overTcp;
  return [
    encode({
      type: "response",
      ...(packet.id === undefined ? {} : { id: packet.id }),
      flags: rcode | (aa ? 1 << 10 : 0) | (isCut ? 1 << 9 : 0),
      questions: packet.questions ?? [],
      answers: isCut ? [] : [...answers],
      authorities: isCut ? [] : [...authorities],
      ...forged,
    }),
  ];
}
