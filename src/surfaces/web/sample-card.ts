import type { Logger } from "pino";
import type { PageFacts } from "./fill-page.ts";
import { momentInWords } from "./moment-in-words.ts";
import type { Pages } from "./pages.ts";

/** What the home page says of its sample proof: what the public sees of it at /verify/{code}. */
export interface SampleProof {
  readonly code: string;
  readonly organization: string;
  readonly registeredAt: Date;
}

export interface SampleCardOptions {
  readonly pages: Pages;
  /** The code of the deployment's setting; null without one. */
  readonly code: string | null;
  /** Reads what the public sees of a proof. Null if it is no proof that the home page may show. */
  readonly read: (code: string) => Promise<SampleProof | null>;
  readonly log: Pick<Logger, "warn">;
  /** Overrides {@link FRESH_MS}, so that a test need not wait. */
  readonly freshMs: number | undefined;
}

/** What was read is reused for this time: anyone may ask for the home page. */
const FRESH_MS = 60_000;
/** The home page does not wait longer for a database that hangs. */
const MOST_MS = 1_000;

/** Keeps the card of the home page equal to what its link shows. */
export class SampleCard {
  readonly #options: SampleCardOptions;
  #code: string | null;
  #shown: SampleProof | null = null;
  /** The code that the log has named already. */
  #refused: string | null = null;
  #until = 0;
  #reading: Promise<void> | null = null;

  constructor(options: SampleCardOptions) {
    this.#options = options;
    this.#code = options.code;
  }

  /** Shows the proof with this code from now on, if it may be shown. */
  async show(code: string): Promise<void> {
    this.#code = code;
    this.#until = 0;
    await this.refresh();
  }

  /** Reads the proof again unless it was read a moment ago. While the database does not answer, the card says what it said before. */
  async refresh(): Promise<void> {
    if (this.#code === null || performance.now() < this.#until) return;
    this.#reading ??= this.#read(this.#code).finally(() => {
      this.#reading = null;
    });
    await Promise.race([this.#reading, new Promise((done) => setTimeout(done, MOST_MS).unref())]);
  }

  async #read(code: string): Promise<void> {
    const { pages, read, log, freshMs = FRESH_MS } = this.#options;
    try {
      const proof = await read(code);
      if (proof === null && this.#refused !== code)
        log.warn({ code }, "the home page shows no sample proof: the code is of no valid live proof of the sample");
      this.#refused = proof === null ? code : null;
      if (JSON.stringify(proof) !== JSON.stringify(this.#shown)) pages.learn(sampleFacts(proof));
      this.#shown = proof;
    } catch (error) {
      log.warn({ err: error }, "the sample proof could not be read");
    }
    this.#until = performance.now() + freshMs;
  }
}

/** The facts of src/web/site/landing.tsx. */
function sampleFacts(proof: SampleProof | null): PageFacts {
  return {
    sample_code: proof?.code ?? null,
    sample_organization: proof?.organization ?? null,
    sample_registered_at: proof?.registeredAt.toISOString() ?? null,
    sample_when_en: proof && momentInWords(proof.registeredAt, "en"),
    sample_when_pt_br: proof && momentInWords(proof.registeredAt, "pt-BR"),
  };
}
