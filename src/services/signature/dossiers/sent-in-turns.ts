import { FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { unavailable } from "../../../errors/app-error.ts";
import type { FileSource } from "../../../surfaces/rest/file-source.ts";

/** Most dossiers that are made or sent in a turn at once, and most that are sent or wait: each holds the evidence of an envelope in memory. */
const AT_ONCE = 16;
const OF_ONE = 4;
const MOST = 50;
const MOST_OF_ONE = 10;
/** How long a turn lasts, in milliseconds: 100 MB at 27 Mbit/s. A reader who is slower keeps the answer, and others begin. */
const TURN_MS = 30_000;

interface Limits {
  readonly atOnce?: number;
  readonly ofOne?: number;
  readonly most?: number;
  readonly mostOfOne?: number;
  readonly turnMs?: number;
}

/** The turns of dossiers. */
export class DossierTurns {
  readonly #turns: FairSlots;
  /** Those that have their turn, wait for it or had it. Nobody waits here. */
  readonly #all: FairSlots;
  readonly #turnMs: number;

  constructor({
    atOnce = AT_ONCE,
    ofOne = OF_ONE,
    most = MOST,
    mostOfOne = MOST_OF_ONE,
    turnMs = TURN_MS,
  }: Limits = {}) {
    this.#turns = new FairSlots(atOnce, { perGroup: ofOne });
    this.#all = new FairSlots(most, { perGroup: mostOfOne, mostOfGroup: mostOfOne, most });
    this.#turnMs = turnMs;
  }

  /**
   * Makes a file when it is its turn. The turn lasts until the file was sent or given up, and not for longer than a slow reader may take.
   * @param group whose file it is
   * @throws AppError 503 while too many are sent or wait; what `make` throws
   */
  make<Made extends { readonly file: FileSource }>(group: string, make: () => Promise<Made>): Promise<Made> {
    return new Promise((resolve, reject) => {
      const sent = Promise.withResolvers<void>();
      const turn = async () => {
        const made = await make();
        resolve({ ...made, file: telling(made.file, sent.resolve) });
        const slow = Promise.withResolvers<void>();
        const timer = setTimeout(slow.resolve, this.#turnMs).unref();
        await Promise.race([sent.promise, slow.promise]);
        clearTimeout(timer);
      };
      const whole = async () => {
        await this.#turns.run(group, turn);
        await sent.promise;
      };
      this.#all
        .run(group, whole)
        .catch((error: unknown) => reject(error instanceof SlotsBusyError ? unavailable(error) : error));
    });
  }
}

/** The file, which tells when nobody reads it any more. */
const telling = (file: FileSource, ended: () => void): FileSource => ({
  ...file,
  open: async (start, end) => {
    try {
      const stream = await file.open(start, end);
      stream.once("close", ended);
      return stream;
    } catch (error) {
      ended();
      throw error;
    }
  },
  notRead: () => {
    file.notRead?.();
    ended();
  },
});
