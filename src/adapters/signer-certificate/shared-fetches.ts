import { FairSlots, SlotsBusyError } from "../fair-slots.ts";

/** What several callers wait for. */
interface Shared<Result> {
  readonly result: Promise<Result>;
  readonly nobodyWaits: AbortController;
  waiting: number;
}

/** Most fetches that run at once: each answer may have 10 MiB. A host that is slow keeps places for others free. */
const AT_ONCE = 16;
const OF_ONE_HOST = 8;
/** Most that run or wait. */
const MOST_OF_ONE_HOST = 50;
const MOST = 150;

/** Runs a few fetches at once. Who asks for what another one already waits for waits for the same. */
export class SharedFetches<Result> {
  readonly #slots: FairSlots;
  readonly #running = new Map<string, Shared<Result>>();

  constructor(slots = new FairSlots(AT_ONCE, { perGroup: OF_ONE_HOST, mostOfGroup: MOST_OF_ONE_HOST, most: MOST })) {
    this.#slots = slots;
  }

  /**
   * @param key the same for what is equal
   * @param host whose turn it is
   * @param signal ends the waiting of this caller; the fetch ends when nobody waits for it any more
   * @returns "busy" while too many wait
   * @throws the signal's reason; what the fetch throws
   */
  async fetch(
    { key, host, signal }: { readonly key: string; readonly host: string; readonly signal: AbortSignal },
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | "busy"> {
    signal.throwIfAborted();
    const shared = this.#running.get(key) ?? this.#start(key, host, run);
    shared.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([shared.result, left.promise]);
    } catch (error) {
      if (error instanceof SlotsBusyError) return "busy";
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
      shared.waiting--;
      if (shared.waiting === 0) {
        // The next caller asks anew.
        this.#forget(key, shared);
        shared.nobodyWaits.abort();
      }
    }
  }

  #start(key: string, host: string, run: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const nobodyWaits = new AbortController();
    const { signal } = nobodyWaits;
    const shared: Shared<Result> = {
      result: this.#slots.run(host, () => run(signal), signal).finally(() => this.#forget(key, shared)),
      nobodyWaits,
      waiting: 0,
    };
    // Those who wait see it.
    shared.result.catch(() => {});
    this.#running.set(key, shared);
    return shared;
  }

  #forget(key: string, shared: Shared<Result>): void {
    if (this.#running.get(key) === shared) this.#running.delete(key);
  }
}
