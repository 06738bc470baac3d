import { setTimeout as sleep } from "node:timers/promises";
import { FLUSH_DEADLINE_MS, type Flushed, flushZones, PROBED_ZONE, purgeAll } from "./control-client.ts";
import type { ControlAccess } from "./control-request.ts";
import { Lateness, type LatenessState } from "./lateness.ts";

export interface NameserversOptions {
  /**
   * Where they are now; null if none is known. Asked for each flush and probe. Throws while a file that the settings name cannot be read: none is told then.
   */
  readonly access: () => ControlAccess | null;
  /** How many the settings name: those that did not confirm while `access` throws. */
  readonly named: number;
  /** Told when one becomes late, and when it is back. */
  readonly log: (message: string) => void;
  /** What a flush may take. */
  readonly deadlineMs?: number;
  /** The pause before each probe of a late one. */
  readonly probeEveryMs?: number;
}

const PROBE_EVERY_MS = 1_000;
/** The list of its zones may be long. Nobody waits for this. */
const PURGE_DEADLINE_MS = 30_000;
/**
 * The nameservers that a process tells of changes. It waits for each of them, except late ones ({@link Lateness}). A late one is probed in the background
 * until it confirms again. Then it forgets everything, and only after that does anybody wait for it.
 */
export class Nameservers {
  readonly #options: NameserversOptions;
  readonly #known = new Map<string, Known>();
  readonly #stopping = new AbortController();

  constructor(options: NameserversOptions) {
    this.#options = options;
  }

  /**
   * Has the nameservers forget the old answers of zones, after the change is committed. Null where none is known. Never rejects: the change is committed, and
   * its answer stands.
   * @param zones those of a change, for which each nameserver gets one request
   * @returns how many have confirmed all of them before the deadline; late ones are not asked and not waited for
   */
  async flush(zones: readonly string[]): Promise<Flushed | null> {
    let access: ControlAccess | null;
    try {
      access = this.#options.access();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log(`The nameservers cannot be told of a change: ${why}`);
      return { confirmed: 0, of: this.#options.named };
    }
    if (access === null) return null;
    const outcomes = await Promise.all(access.urls.map((url) => this.#flushOne(access, url, zones)));
    return { confirmed: outcomes.filter(Boolean).length, of: outcomes.length };
  }

  /** Whether changes wait for the nameserver of a control address. */
  stateOf(url: string): LatenessState {
    return this.#known.get(url)?.lateness.state ?? "answering";
  }

  /** All that are known now, by their control addresses. */
  get states(): ReadonlyMap<string, LatenessState> {
    return new Map((this.#accessOrNull()?.urls ?? []).map((url) => [url, this.stateOf(url)]));
  }

  /** Ends probes and flushes that are under way, which count as not confirmed. Late ones are probed no longer. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { waiting } of this.#known.values()) for (const each of waiting) each.abort();
    await Promise.all([...this.#known.values()].map(({ probing }) => probing));
  }

  async #flushOne(access: ControlAccess, url: string, zones: readonly string[]): Promise<boolean> {
    const known = this.#knownOf(url);
    if (known.lateness.state === "late") return false;
    const isWaitedFor = known.lateness.state === "answering";
    const began = performance.now();
    const flushed = this.#sent(access, url, known, zones).then((isConfirmed) => {
      // What we cut off ourselves says nothing about the nameserver.
      if (!this.#stopping.signal.aborted) this.#count(url, known, isConfirmed, began);
      return isConfirmed;
    });
    return isWaitedFor ? flushed : false;
  }

  /** Never rejects. */
  async #sent(access: ControlAccess, url: string, known: Known, zones: readonly string[]): Promise<boolean> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), this.#options.deadlineMs ?? FLUSH_DEADLINE_MS);
    known.waiting.add(ending);
    if (this.#stopping.signal.aborted) ending.abort();
    try {
      return (await flushZones({ ...access, urls: [url] }, zones, ending.signal)).confirmed === 1;
    } finally {
      clearTimeout(timer);
      known.waiting.delete(ending);
    }
  }

  #count(url: string, known: Known, isConfirmed: boolean, began: number): void {
    const before = known.lateness.state;
    known.lateness.flushed(isConfirmed, { began, ended: performance.now() });
    if (before !== "answering" || known.lateness.state !== "late") return;
    this.#options.log(`The nameserver at ${url} was late three times in a row. Changes do not wait for it any more.`);
    // Other changes wait for it, too. What they wanted forgotten goes with everything else.
    for (const each of known.waiting) each.abort();
    known.probing = this.#bringBack(url, known);
  }

  /** Probes a late one until it is back. Never rejects. */
  async #bringBack(url: string, known: Known): Promise<void> {
    const { signal } = this.#stopping;
    while (known.lateness.state !== "answering") {
      await sleep(this.#options.probeEveryMs ?? PROBE_EVERY_MS, undefined, { signal }).catch(() => {}); // stop() ends the wait
      if (signal.aborted) return;
      const access = this.#accessOrNull();
      if (access === undefined) continue;
      // A nameserver of development has another address after each start.
      if (access?.urls.includes(url) !== true) {
        this.#known.delete(url);
        return;
      }
      if (!(await this.#sent(access, url, known, [PROBED_ZONE]))) continue;
      known.lateness.probed();
      known.lateness.purged(await this.#forgotAll({ ...access, urls: [url] }));
    }
    this.#options.log(`The nameserver at ${url} is back and has forgotten all old answers. Changes wait for it again.`);
  }

  async #forgotAll(access: ControlAccess): Promise<boolean> {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PURGE_DEADLINE_MS)]);
    return (await purgeAll(access, signal)).confirmed === 1;
  }

  /** Undefined while its settings cannot be read. */
  #accessOrNull(): ControlAccess | null | undefined {
    try {
      return this.#options.access();
    } catch {
      return undefined; // each change says so
    }
  }

  #knownOf(url: string): Known {
    const known = this.#known.get(url) ?? { lateness: new Lateness(), waiting: new Set(), probing: Promise.resolve() };
    this.#known.set(url, known);
    return known;
  }
}

interface Known {
  readonly lateness: Lateness;
  /** Flushes under way. */
  readonly waiting: Set<AbortController>;
  /** Ends when it is back. */
  probing: Promise<void>;
}
