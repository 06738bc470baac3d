import type { Answer, Call, Caller } from "./call.ts";
import { decodeFailure, isTimeout } from "./errors.ts";
import { refuseLate } from "./patience.ts";

/** Most round trips under way: enough to keep Postgres busy while Node handles the answers. */
const MOST_UNDER_WAY = 3;
const MOST_PER_BATCH = 50;

interface Waiting {
  readonly call: Call;
  readonly since: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets short reads that arrive together share a round trip. A read never waits for others to arrive. It is sent at once while
 * few round trips are under way; otherwise it is sent with all others that arrived, when a round trip returns.
 */
export class ReadBatcher {
  readonly #caller: Caller;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  read(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, since: performance.now(), resolve, reject });
      this.#send();
    });
  }

  #send(): void {
    if (this.#underWay >= MOST_UNDER_WAY) return;
    refuseLate(this.#waiting);
    if (this.#waiting.length === 0) return;
    this.#underWay++;
    void this.#run(this.#waiting.splice(0, MOST_PER_BATCH)).finally(() => {
      this.#underWay--;
      this.#send();
    });
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    try {
      if (first !== undefined && batch.length === 1) return first.resolve(await this.#caller.call(first.call));
      const answers = await this.#caller.callMany(batch.map(({ call }) => call));
      for (const [place, { resolve, reject }] of batch.entries()) {
        const answer = answers[place];
        if (answer === undefined) reject(new Error("gateway.call_many answered too few rows"));
        else if ("failure" in answer) reject(decodeFailure(answer.failure));
        else resolve(answer);
      }
    } catch (error) {
      // A read that takes too long ends its batch. The others run again, each alone and with its own time limit.
      if (batch.length > 1 && isTimeout(error)) await Promise.all(batch.map((each) => this.#run([each])));
      else for (const { reject } of batch) reject(error);
    }
  }
}
