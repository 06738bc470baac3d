import { z } from "zod";
import type { Environment, Jobs } from "../../src/postgres/jobs.ts";
import { BackgroundVerifier } from "../../src/services/signature/proofs/verify-proofs.ts";
import {
  type SignedKind,
  signedProofs,
  signedRecords,
  verificationAlarms,
  waitingEnvironments,
} from "../../src/services/signature/store.ts";
import type { TaskContext, WorkerTask } from "../task.ts";

const AT_ONCE = 100;
/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;

/** For a missing row only the id is known; its fault is checked before anything else. */
const hex = z
  .string()
  .nullable()
  .transform((text) => Buffer.from(text ?? "", "hex"));
const key = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : Buffer.from(text, "hex")));
const waitingList = z.array(
  z.object({
    id: z.string(),
    evidence: z
      .string()
      .nullable()
      .transform((text) => text ?? ""),
    evidence_fault: z.string().nullable(),
    platform_signature: hex,
    public_key: key,
    platform_signature_pq: hex,
    public_key_pq: key,
  }),
);

/**
 * Verifies every new row with @noble, the second and independent implementation of both algorithms: proofs within a minute
 * of their registration up to some 280 a second and core, later under more load. Sounds the alarm while any row has failed,
 * or has waited for more than five minutes.
 */
function reverify(kind: SignedKind): WorkerTask {
  return async (_payload, { jobs, log, stopping }) => {
    await verifyWaiting({ jobs, stopping }, kind);
    const { failed, overdue } = await verificationAlarms(jobs, kind);
    const { name, words } = kind;
    if (failed > 0)
      log.fatal(
        { alarm: `${name}_failed_verification`, failed },
        `stored ${words} do not verify: see signature.unverified_${name}`,
      );
    if (overdue > 0)
      log.error(
        { alarm: `${name}_wait_for_verification`, overdue },
        `${words} have waited too long for their second verification`,
      );
  };
}

export const reverifyProofs = reverify(signedProofs);
export const reverifyRecords = reverify(signedRecords);

/** Verifies all that waits, until nothing waits, the next run is due, or the worker stops. */
async function verifyWaiting(
  { jobs, stopping }: Pick<TaskContext, "jobs" | "stopping">,
  kind: SignedKind,
): Promise<void> {
  let environments = await waitingEnvironments(jobs, kind);
  if (environments.length === 0) return;
  const verifier = new BackgroundVerifier();
  try {
    const deadline = performance.now() + MOST_MS;
    const isOver = () => stopping.aborted || performance.now() >= deadline;
    // Environments take turns, so that the many rows of one do not delay the few of another.
    while (environments.length > 0 && !isOver()) {
      const unfinished: Environment[] = [];
      for (const environment of environments) {
        if (isOver()) break;
        if (await reverifySome(environment, jobs, kind, verifier)) unfinished.push(environment);
      }
      environments = unfinished;
    }
  } finally {
    await verifier.close();
  }
}

/** @returns whether more may be waiting */
async function reverifySome(
  environment: Environment,
  jobs: Jobs,
  { list, record }: SignedKind,
  verifier: BackgroundVerifier,
): Promise<boolean> {
  const waiting = waitingList.parse(await jobs.call(environment, list, { limit: AT_ONCE }));
  if (waiting.length === 0) return false;
  const refused = await verifier.verify(
    waiting.map((signed) => ({
      id: signed.id,
      evidence: signed.evidence,
      evidenceFault: signed.evidence_fault,
      signatures: { ed25519: signed.platform_signature, mlDsa87: signed.platform_signature_pq },
      publicKeys: { ed25519: signed.public_key, mlDsa87: signed.public_key_pq },
    })),
  );
  const refusedIds = new Set(refused.map((refusal) => refusal.id));
  const verified = waiting.map((signed) => signed.id).filter((id) => !refusedIds.has(id));
  await jobs.call(environment, record, { verified, refused });
  return waiting.length === AT_ONCE;
}
