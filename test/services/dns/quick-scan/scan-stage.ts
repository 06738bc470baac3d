// A gateway, and the provider of a zone in a small public DNS: what it has is what a quick scan may find.
import type { Answer, RecordType } from "dns-packet";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { DnsWorld, NXDOMAIN, PARENTS, type Says, type Server } from "../../../support/dns-world.ts";
import type { RestResponse } from "../../../support/rest-client.ts";
import { startSteadyClock } from "../../../support/steady-clock.ts";
import { type Customer, DnsStage, NAMESERVERS, type Zone } from "../dns-stage.ts";
import { recordsIn } from "../import-stage.ts";

/** The present provider's server. */
export const SERVER = "c.nic.test";
const PROVIDER = PARENTS[SERVER];

class ScanStage {
  readonly world: DnsWorld;
  readonly dns: DnsStage;
  readonly customer: Customer;
  readonly #stopClock: () => void;
  #zone: Zone | undefined;
  /** What the provider has: by name and type. */
  #records = new Map<string, Answer[]>();

  private constructor(world: DnsWorld, dns: DnsStage, customer: Customer, stopClock: () => void) {
    this.#stopClock = stopClock;
    this.world = world;
    this.dns = dns;
    this.customer = customer;
  }

  static async open(): Promise<ScanStage> {
    const stopClock = startSteadyClock();
    const world = await DnsWorld.start();
    const dns = await DnsStage.open(NAMESERVERS, world.environment);
    return new ScanStage(world, dns, await dns.customer({ plan: "business" }), stopClock);
  }

  async close(): Promise<void> {
    await this.dns.close();
    await this.world.close();
    this.#stopClock();
  }

  /** A zone for each test, which the provider serves and has nothing of. */
  async begin(): Promise<void> {
    const zone = await this.customer.zone();
    this.#zone = zone;
    this.world.delegate(zone.name, [SERVER]);
    this.#records = new Map();
    this.world.servers.clear();
    this.answers(({ name, type }) => this.provider(name, type));
  }

  get zone(): Zone {
    if (this.#zone === undefined) throw new Error("no test has begun");
    return this.#zone;
  }

  whole(name: string): string {
    return name === "@" ? this.zone.name : `${name}.${this.zone.name}`;
  }

  /** The name relative to the zone; `@` for the zone. */
  relative(name: string): string {
    return name === this.zone.name ? "@" : name.slice(0, -this.zone.name.length - 1);
  }

  /** The provider has a record; `*` too. */
  has(name: string, type: RecordType, data: unknown, ttl = 300): void {
    const key = `${this.whole(name)} ${type}`;
    const answer = { name: this.whole(name), type, data, ttl } as Answer;
    this.#records.set(key, [...(this.#records.get(key) ?? []), answer]);
  }

  /** Replaces what the provider's server says. */
  answers(server: Server): void {
    this.world.servers.set(PROVIDER, server);
  }

  /** As a name server answers (RFC 1034 §4.3.2): a wildcard below the longest name that exists makes others (RFC 4592 §3.3.1). */
  provider(name: string, type: RecordType): Says {
    const owner = this.ownerOf(name);
    if (owner === null) return { aa: true, rcode: NXDOMAIN };
    const at = (wanted: RecordType) =>
      (this.#records.get(`${owner} ${wanted}`) ?? []).map((answer) => ({ ...answer, name }) as Answer);
    const delegation = owner === this.zone.name ? [] : at("NS");
    if (delegation.length > 0) return { authorities: delegation };
    return { aa: true, answers: [...at("CNAME"), ...at(type)] };
  }

  /** The name whose records answer for a name: itself, or a wildcard. */
  ownerOf(name: string): string | null {
    const exists = (owner: string) =>
      owner === this.zone.name ||
      [...this.#records.keys()].some((key) => key.startsWith(`${owner} `) || key.split(" ")[0]?.endsWith(`.${owner}`));
    if (name !== this.zone.name && !name.endsWith(`.${this.zone.name}`)) return null;
    let encloser = name;
    while (!exists(encloser)) encloser = encloser.slice(encloser.indexOf(".") + 1);
    if (encloser === name) return name;
    return exists(`*.${encloser}`) ? `*.${encloser}` : null;
  }

  scan(body: object = {}): Promise<RestResponse> {
    return this.zone.ask("POST", "/import", { quick_scan: true, ...body });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answer; expectations look into it
  async scanned(body: object = {}): Promise<any> {
    const answer = await this.scan(body);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
    return answer.body;
  }

  /** The records of the zone in one line each; the zone is Z. */
  async found(): Promise<string[]> {
    return (await recordsIn(this.zone)).map((each) => each.replaceAll(this.zone.name, "Z"));
  }

  /** A minute passes. */
  async later(): Promise<void> {
    await this.dns.rows("update dns.zones set scanned_at = scanned_at - interval '1 minute' where id = $1", [
      this.zone.body.id,
    ]);
  }
}

export const codes = (body: { readonly warnings: readonly { readonly code: string }[] }): string[] =>
  body.warnings.map(({ code }) => code);

/** The data of a TXT record. */
export const text = (words: string): Buffer[] => [Buffer.from(words)];

/** The stage of the file whose tests run. */
export let stage: ScanStage;

/** Opens one stage for a file, and begins a zone for each of its tests. */
export function setUpScans(): void {
  beforeAll(async () => {
    stage = await ScanStage.open();
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.begin());
}
