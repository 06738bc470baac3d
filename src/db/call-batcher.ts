import type { Answer, Call } from "./database.ts";
import { type DatabaseFailure, decodeFailure } from "./errors.ts";

/** More subtransactions than 64 in one transaction leave shared memory and slow every snapshot of the server. */
const MOST_PER_BATCH = 50;
/** While this many batches are under way, calls gather for the next: no timer, so a lone call never waits. */
const MOST_UNDER_WAY = 3;

interface Waiting {
  readonly item: Readonly<Record<string, unknown>>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Row {
  readonly place: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly replayed: boolean;
  readonly failure: DatabaseFailure | null;
}

type Query = <Result>(text: string, values: unknown[]) => Promise<Result[]>;

/** Gathers calls that arrive while others are being committed and runs them in one transaction through gateway.call_many. */
export class CallBatcher {
  readonly #query: Query;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  add(call: Call & { readonly credentialHash: Buffer }, subject: string): Promise<Answer> {
    const item = {
      credential_hash: call.credentialHash.toString("hex"),
      command: call.command,
      arguments: call.arguments,
      status: call.status ?? 200,
      idempotency_key: call.idempotency?.key ?? null,
      request_hash: call.idempotency?.requestHash.toString("hex") ?? null,
      subject,
    };
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // After this turn of the event loop, so that requests read together travel together.
      setImmediate(() => this.#send());
    });
  }

  #send(): void {
    if (this.#waiting.length === 0 || this.#underWay >= MOST_UNDER_WAY) return;
    const batch = this.#waiting.splice(0, MOST_PER_BATCH);
    this.#underWay++;
    void this.#run(batch).finally(() => {
      this.#underWay--;
      this.#send();
    });
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const calls = JSON.stringify(batch.map(({ item }) => item));
      const rows = await this.#query<Row>("select place, status, body, replayed, failure from gateway.call_many($1)", [
        calls,
      ]);
      for (const { place, status, body, replayed, failure } of rows) {
        if (failure !== null) batch[place]?.reject(decodeFailure(failure));
        else if (status !== null) batch[place]?.resolve({ status, body, replayed });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
