import type pg from "pg";
import type { PlatformSigners } from "../../../src/services/platform/keys/platform-signers.ts";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import type { Statement } from "./release.ts";

/** A proof as `prepare_proofs` answers it, as far as the older gateway read it. */
interface Draft {
  readonly id: string;
  readonly sha256: string;
  readonly evidence: { readonly [member: string]: JsonValue };
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

/**
 * Asks what an older gateway asked. Evidence is recorded only soon after it was prepared, so what was recorded then is
 * replaced by what is prepared now, sealed anew; everything around it stays as the older gateway wrote it.
 */
export class Replay {
  readonly #client: pg.Client;
  readonly #signers: PlatformSigners;
  readonly #drafts = new Map<string, Draft>();

  constructor(client: pg.Client, signers: PlatformSigners) {
    this.#client = client;
    this.#signers = signers;
  }

  /** @returns what came back, in the form in which it was recorded, and the failures of single proofs in it */
  async ask({ text, values }: Statement) {
    const current: unknown[] = [];
    for (const value of values) current.push(await this.#renewed(decode(value)));
    const result = await (current.length > 0 ? this.#client.query(text, current) : this.#client.query(text));
    // A simple query of several statements has several results; the last one is what was asked for.
    const last = Array.isArray(result) ? (result.at(-1) as pg.QueryResult) : result;
    const failures: unknown[] = [];
    for (const { body } of last.rows as { body?: unknown }[]) {
      if (typeof body === "string") this.#remember(JSON.parse(body), failures);
    }
    return {
      answer: {
        text,
        columns: last.fields.map(({ name }) => name),
        rows: last.rows.length,
        statuses: last.rows.flatMap((row: { status?: number }) => row.status ?? []),
      },
      failures,
    };
  }

  /** Keeps the drafts of an answer, and gathers what failed in it. */
  #remember(body: unknown, failures: unknown[]): void {
    if (!Array.isArray(body)) return;
    for (const outcome of body as { status?: number; body?: Draft; failure?: unknown }[]) {
      if (outcome.failure !== undefined) failures.push(outcome.failure);
      if (outcome.status === 202 && outcome.body) this.#drafts.set(outcome.body.sha256, outcome.body);
    }
  }

  async #renewed(value: unknown): Promise<unknown> {
    if (typeof value !== "string" || !value.includes('"platform_signature"')) return value;
    const given = JSON.parse(value) as { proofs: object[] } | { arguments: { proofs: object[] } }[];
    const batches = Array.isArray(given) ? given.map((call) => call.arguments) : [given];
    for (const batch of batches) batch.proofs = await Promise.all(batch.proofs.map((item) => this.#sealed(item)));
    return JSON.stringify(given);
  }

  async #sealed(item: { sha256?: string; evidence?: string }): Promise<object> {
    const draft = this.#drafts.get(item.sha256 ?? "");
    if (item.evidence === undefined || draft === undefined) return item;
    const evidence = canonicalJson(draft.evidence);
    const seal = await this.#signers.seal(
      draft.platform_key_id,
      draft.platform_pq_key_id,
      Buffer.from(evidence, "utf8"),
    );
    return {
      ...item,
      proof_id: draft.id,
      evidence,
      platform_signature: seal.ed25519.toString("base64"),
      platform_signature_pq: seal.mlDsa87.toString("base64"),
    };
  }
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  const isBytes = typeof value === "object" && value !== null && "hex" in value;
  return isBytes ? Buffer.from(String(value.hex), "hex") : value;
}
