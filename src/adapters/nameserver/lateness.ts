/** A nameserver is late after it was late so many times in a row. */
const MOST_MISSED = 3;

/**
 * - `answering`: changes wait for it.
 * - `late`: changes skip it.
 * - `returning`: it confirms again. Changes tell it and do not wait, while it forgets everything.
 */
export type LatenessState = "answering" | "late" | "returning";

/**
 * Whether changes wait for one nameserver, as one process sees it.
 *
 * ```text
 *            missed three times in a row              a probe is confirmed
 * answering ────────────────────────────────→ late ──────────────────────────→ returning
 *     ↑                                        ↑     ←──────────────────────     │
 *     │                                           a flush or the purge is missed │
 *     └──────────────────────────────────────────────────────────────────────────┘
 *                              the whole purge is confirmed
 * ```
 *
 * Why there is `returning`: a change that commits beside the whole purge must not be lost between the two. The purge begins in this state. A change that skipped
 * the nameserver had committed before, so the purge forgets what was true until then; later changes tell it themselves.
 *
 * Changes at once miss one pause together. So a miss counts only where its flush began after the last one that counts had ended.
 */
export class Lateness {
  #state: LatenessState = "answering";
  #missed = 0;
  /** When the last miss that counts had ended. */
  #missedAt = Number.NEGATIVE_INFINITY;

  get state(): LatenessState {
    return this.#state;
  }

  /**
   * A flush that was sent has ended.
   * @param began on a clock in milliseconds
   * @param ended on the same clock
   */
  flushed(isConfirmed: boolean, { began, ended }: { readonly began: number; readonly ended: number }): void {
    // One that began before it was late says nothing about now.
    if (this.#state === "late") return;
    if (this.#state === "returning") {
      if (!isConfirmed) this.#state = "late";
      return;
    }
    if (isConfirmed) {
      this.#missed = 0;
      return;
    }
    if (began < this.#missedAt) return;
    this.#missed += 1;
    this.#missedAt = ended;
    if (this.#missed >= MOST_MISSED) this.#state = "late";
  }

  /** A probe was confirmed in time. A whole purge begins now. */
  probed(): void {
    if (this.#state === "late") this.#state = "returning";
  }

  /** The whole purge that began with {@link probed} has ended. */
  purged(isConfirmed: boolean): void {
    // A flush beside the purge was missed: the next probe begins anew.
    if (this.#state !== "returning") return;
    this.#state = isConfirmed ? "answering" : "late";
    this.#missed = 0;
  }
}
