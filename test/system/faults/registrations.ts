import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { verifyHybrid } from "../../../src/adapters/crypto/hybrid-signature.ts";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { bothValid } from "../../../src/verifier/hybrid-signature.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { type Deployment, GRANTED } from "./deployment.ts";

/** A proof as it was answered, as far as the count compares it. */
interface AnsweredProof {
  readonly id: string;
  readonly verification_code: string;
  readonly evidence: { readonly [member: string]: JsonValue };
  readonly platform_signature: string;
  readonly platform_signature_pq: string;
}

/** One request to register a digest, which may be made more than once. */
interface Registration {
  readonly key: string;
  readonly input: { readonly sha256: string; readonly label: string; readonly file_name: string };
  /** Null as long as nobody was told that it is registered. */
  proof: AnsweredProof | null;
}

/** Longer than anything the gateway may take: a request that has no answer then hangs. */
const HANGS_MS = 120_000;
/** Between two tries of a client that was not served. */
const PACE_MS = 500;

/** Clients of one organization that register live proofs one after the other, each with an Idempotency-Key, and remember what they were told. */
export class Registrations {
  readonly all: Registration[] = [];
  /** How many requests got each status; `broken` is a connection that ended without one. */
  readonly outcomes: Record<string, number> = {};
  /** Bodies of answers that are neither a proof nor a 503 as documented, and requests that hung. */
  readonly wrong: string[] = [];
  /** How long the slowest answer with 503 took, in milliseconds; may be set back. */
  slowestRefusal = 0;
  readonly organization: TestOrganization;
  readonly #deployment: Deployment;
  /** Evidence with its signatures that verified: the same bytes are not verified again. */
  readonly #verified = new Set<string>();
  #clients: Promise<void>[] = [];
  #running = false;

  private constructor(deployment: Deployment, organization: TestOrganization) {
    this.#deployment = deployment;
    this.organization = organization;
  }

  /** Those of a new organization. */
  static async of(deployment: Deployment): Promise<Registrations> {
    return new Registrations(deployment, await deployment.newOrganization());
  }

  get answered(): number {
    return this.all.filter(({ proof }) => proof !== null).length;
  }

  /** @param pauseMs of each client after an answer; without one they register as many as the machine can */
  start(clients = 32, pauseMs = 0): void {
    this.#running = true;
    this.#clients = Array.from({ length: clients }, async () => {
      while (this.#running) {
        const sha256 = randomBytes(32).toString("hex");
        const input = { sha256, label: "Contract 12", file_name: `${sha256.slice(0, 8)}.pdf` };
        const registration: Registration = { key: randomUUID(), input, proof: null };
        this.all.push(registration);
        await pause((await this.#ask(registration)) === null ? PACE_MS : pauseMs);
      }
    });
  }

  /** Resolves when the last request under way has its answer. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }

  /** @returns whether the answer was an earlier one; null when there was none, or a 503 */
  async #ask(registration: Registration): Promise<boolean | null> {
    const started = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.#deployment.baseUrl}/api/v1/proofs`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${this.organization.live}`,
          "content-type": "application/json",
          "idempotency-key": registration.key,
        },
        body: JSON.stringify(registration.input),
        signal: AbortSignal.timeout(HANGS_MS),
      });
      text = await response.text();
    } catch (error) {
      if (error instanceof Error && error.name === "TimeoutError") this.wrong.push("a request hung");
      this.#note("broken");
      return null;
    }
    this.#note(String(response.status));
    if (response.status === 201) {
      registration.proof = JSON.parse(text) as AnsweredProof;
      return response.headers.get("idempotent-replayed") === "true";
    }
    this.slowestRefusal = Math.max(this.slowestRefusal, performance.now() - started);
    if (!isDocumentedRefusal(response, text)) this.wrong.push(`${response.status} ${text}`);
    return null;
  }

  #note(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }

  /**
   * The count: every proof that anybody was told of is there, with exactly what was answered, and verifies; so does every
   * other one that is there; each has its code, its credit, its key and its event, and nothing else was written. Then every
   * request is made again with its key, and each digest has one proof: the one that was answered, where one was.
   */
  async expectNothingLostOrDoubled(): Promise<void> {
    expect(this.wrong).toEqual([]);
    await this.#expectKept();
    await this.#expectSums();
    const answeredBefore = new Map(this.all.map((registration) => [registration, registration.proof]));
    const waiting = [...this.all];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const replayed = await this.#ask(next);
          const before = answeredBefore.get(next);
          if (replayed === null) this.wrong.push("a repeated request was not answered");
          if (before) expect({ replayed, ...next.proof }).toEqual({ ...before, replayed: true });
        }
      }),
    );
    expect(this.wrong).toEqual([]);
    expect(await this.#expectSums()).toBe(this.all.length);
    await this.#expectKept();
    expect((await this.#deployment.verifyAudit()).faults).toEqual([]);
  }

  async #expectKept(): Promise<void> {
    const { organization } = this;
    const { admin } = this.#deployment;
    const { rows: keys } = await admin.query<{ keyId: string; key: Buffer }>(
      `select key_id as "keyId", public_key as key from platform.platform_keys`,
    );
    const keyOf = (id: string) => keys.find(({ keyId }) => keyId === id)?.key ?? Buffer.alloc(0);
    const { rows } = await admin.query<{
      id: string;
      sha256: string;
      code: string;
      evidence: string;
      keyId: string;
      signature: Buffer;
      pqKeyId: string;
      pqSignature: Buffer;
    }>(
      `select id, encode(sha256, 'hex') as sha256, verification_code as code, evidence, platform_key_id as "keyId",
         platform_signature as signature, platform_pq_key_id as "pqKeyId", platform_signature_pq as "pqSignature"
       from signature.proofs where tenant_id = $1 and environment = 'live'`,
      [organization.id],
    );
    const refused: string[] = [];
    for (const row of rows) {
      const { evidence, keyId, signature, pqKeyId, pqSignature } = row;
      const bytes = [evidence, keyId, signature.toString("base64"), pqKeyId, pqSignature.toString("base64")].join(" ");
      if (this.#verified.has(bytes)) continue;
      const verdict = await verifyHybrid(
        { ed25519: keyOf(keyId), mlDsa87: keyOf(pqKeyId) },
        Buffer.from(evidence, "utf8"),
        { ed25519: signature, mlDsa87: pqSignature },
      );
      if (bothValid(verdict)) this.#verified.add(bytes);
      else refused.push(row.id);
    }
    expect(refused).toEqual([]);
    const kept = new Map(rows.map((row) => [row.sha256, row]));
    for (const { input, proof } of this.all) {
      if (proof === null) continue;
      const row = kept.get(input.sha256);
      expect({
        id: proof.id,
        code: proof.verification_code,
        evidence: canonicalJson(proof.evidence),
        signature: proof.platform_signature,
        pqSignature: proof.platform_signature_pq,
      }).toEqual({
        id: row?.id,
        code: row?.code,
        evidence: row?.evidence,
        signature: row?.signature.toString("base64"),
        pqSignature: row?.pqSignature.toString("base64"),
      });
    }
  }

  /** @returns how many live proofs there are */
  async #expectSums(): Promise<number> {
    const { organization } = this;
    const { admin } = this.#deployment;
    const { rows } = await admin.query<Record<string, number>>(
      `select
         (select count(*)::integer from signature.proofs where tenant_id = $1) as proofs,
         (select count(*)::integer from platform.public_codes as code join signature.proofs as proof
            on proof.tenant_id = code.tenant_id and proof.id = code.subject_id and proof.verification_code = code.code
            where code.tenant_id = $1) as codes_of_proofs,
         (select count(*)::integer from platform.public_codes where tenant_id = $1) as codes,
         (select count(*)::integer from platform.audit_events as event join signature.proofs as proof
            on proof.tenant_id = event.tenant_id and proof.id = event.subject_id
            where event.tenant_id = $1 and event.action = 'proof.registered' and event.seq = 1) as events_of_proofs,
         (select count(*)::integer from platform.audit_events where tenant_id = $1 and subject_type = 'proof') as events,
         (select count(*)::integer from platform.credit_ledger as entry join signature.proofs as proof
            on proof.tenant_id = entry.tenant_id and proof.id = entry.subject_id
            where entry.tenant_id = $1 and entry.amount = -1) as entries_of_proofs,
         (select $2 - sum(amount)::integer from platform.credit_ledger where tenant_id = $1) as spent_by_ledger,
         (select $2 - sum(balance)::integer from platform.credit_balances where tenant_id = $1) as spent_by_balances,
         (select count(*)::integer from platform.idempotency_keys as key join signature.proofs as proof
            on proof.tenant_id = key.tenant_id and proof.id = key.subject_id where key.tenant_id = $1 and key.status = 201) as keys_of_proofs,
         (select count(*)::integer from platform.idempotency_keys where tenant_id = $1) as keys`,
      [organization.id, GRANTED],
    );
    const sums = rows[0] ?? {};
    const proofs = sums["proofs"] ?? Number.NaN;
    expect(sums).toEqual(Object.fromEntries(Object.keys(sums).map((name) => [name, proofs])));
    return proofs;
  }
}

/** 503 with Retry-After and the documented body. */
function isDocumentedRefusal(response: Response, text: string): boolean {
  return (
    response.status === 503 &&
    /^[1-9]\d*$/.test(response.headers.get("retry-after") ?? "") &&
    /^\{"detail":\{"code":"unavailable","message":"[^"]+"\},"request_id":"[^"]+","documentation":"[^"]+#unavailable"\}$/.test(
      text,
    )
  );
}
