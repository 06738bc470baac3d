import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { FairSlots } from "../../../adapters/fair-slots.ts";
import {
  checkRevocation,
  type Revocation,
  type RevocationParts,
  type RevocationSource,
} from "../../../adapters/signer-certificate/check-revocation.ts";
import { type Judged, judgeCertificate } from "../../../adapters/signer-certificate/judge-certificate.ts";
import type { Root } from "../../../adapters/signer-certificate/read-roots.ts";
import { CertificateUnjudged } from "../../../adapters/signer-certificate/run-child.ts";
import { AppError, unavailable } from "../../../errors/app-error.ts";
import { inTurn } from "./certificate-turns.ts";

/** A certificate to sign with, as a participant sent it. */
export interface Given {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  /** DER, the participant's first. */
  readonly chain: readonly Buffer[];
  /** The instant that the signatures show. */
  readonly at: Date;
  /** Eleven digits, where the sender of the envelope gave them. */
  readonly cpf: string | null;
}

/** A certificate with which the participant may sign. */
export interface Accepted {
  readonly judged: Judged;
  /** The name of the person who signs. */
  readonly name: string;
  readonly revocation: {
    /** `not_checked` in test alone. */
    readonly status: "good" | "not_checked";
    readonly sources: readonly RevocationSource[];
  };
}

interface JudgeParts {
  /** The authorities of each environment; none where the operator names none. */
  readonly roots: Readonly<Record<"live" | "test", readonly Root[]>>;
  readonly revocation: RevocationParts;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly allowsLoopback: boolean;
  /** Each judgement starts a process. */
  readonly slots: FairSlots;
}

/** As long as an offer to sign, and a few hundred certificates. */
const KEPT_MS = 10 * 60_000;
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

/** Says whether participants may sign with the certificates that they send. */
export class CertificateJudge {
  readonly #parts: JudgeParts;
  /** Accepted certificates, by all that the judgement depends on. A participant sends the certificate, and completes with the same some seconds later. */
  readonly #accepted = new LRUCache<string, Judged>({
    ttl: KEPT_MS,
    maxSize: MOST_KEPT_BYTES,
    sizeCalculation: ({ path }) => 4_096 + path.reduce((sum, { length }) => sum + length, 0),
  });

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** @throws AppError 422 certificate_refused, 503 revocation_unknown, 503 unavailable */
  async judge({ tenantId, environment, chain, at, cpf }: Given): Promise<Accepted> {
    const judged = await this.#judged({ tenantId, environment, chain, at, cpf });
    const now = new Date();
    // The instant of the signatures may be some minutes ago.
    if (now > judged.notAfter)
      throw refusedCertificate("expired", `the certificate ended on ${judged.notAfter.toISOString()}`);
    // Issuers are slow, and nobody waits for them in a turn of the processes.
    const { status, revokedAt, sources } = await this.revocationOf(judged, { tenantId, environment, at: now });
    if (revokedAt !== null)
      throw refusedCertificate("revoked", `its issuer revoked the certificate on ${revokedAt.toISOString()}`);
    if (status === "unknown" && environment === "live")
      throw new AppError(
        503,
        "revocation_unknown",
        "The issuer of the certificate did not say whether it is revoked. Try again in some minutes.",
      );
    return {
      judged,
      name: judged.responsible ?? judged.name,
      revocation: { status: status === "good" ? "good" : "not_checked", sources },
    };
  }

  /** The authorities of ICP-Brasil that an environment trusts. */
  authoritiesOf(environment: "live" | "test"): readonly Root[] {
    return this.#parts.roots[environment];
  }

  /** Asks the issuers whether a certificate of a judged path was revoked. */
  revocationOf(
    { path, revocation }: Pick<Judged, "path" | "revocation">,
    { tenantId, environment, at }: Pick<Given, "tenantId" | "environment" | "at">,
  ): Promise<Revocation> {
    const { revocation: parts, allowsLoopback } = this.#parts;
    const allowLoopback = environment === "test" && allowsLoopback;
    return checkRevocation({ path, revocation, at, allowLoopback, group: tenantId }, parts);
  }

  /** What the confined process says of the certificate: the same each time, since the instant is part of what it is told. */
  async #judged({ tenantId, environment, chain, at, cpf }: Given): Promise<Judged> {
    const { roots, slots } = this.#parts;
    const key = createHash("sha256")
      .update(JSON.stringify([environment, at.toISOString(), cpf, chain.map((each) => each.toString("base64"))]))
      .digest("base64");
    const known = this.#accepted.get(key);
    if (known !== undefined) return known;
    const judged = await inTurn(slots, tenantId, () =>
      judgeCertificate({ chain, roots: roots[environment], at, cpf }),
    ).catch((error: unknown) => {
      throw error instanceof CertificateUnjudged ? unavailable(error) : error;
    });
    if ("refused" in judged) throw refusedCertificate(judged.refused, judged.message);
    this.#accepted.set(key, judged);
    return judged;
  }
}

/** 422 certificate_refused. */
export const refusedCertificate = (reason: string, message: string): AppError =>
  new AppError(422, "certificate_refused", "The certificate cannot sign here; fields says why.", [
    { field: "certificate", message: `${reason}: ${message}` },
  ]);
