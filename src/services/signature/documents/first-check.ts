import type { FairSlots } from "../../../adapters/fair-slots.ts";
import { checkPdf } from "../../../adapters/pdf-check/check-pdf.ts";
import type { Failed, Quarantined, Ready, Unprocessable } from "../../../adapters/pdf-check/verdict.ts";

/** What an upload knows when it is answered. `late`: the check goes on in a job; `began` tells whether it had begun. */
export type FirstVerdict =
  | Unprocessable
  | Quarantined
  | Ready
  | Failed
  | { readonly verdict: "late"; readonly began: boolean };

const LATE = new Error("the upload is answered");

/**
 * Checks an uploaded file while its sender waits. A check that takes longer is ended here: the job begins it anew, so that a gateway
 * that dies meanwhile loses nothing.
 * @param organizationId whose turn it is
 * @param waitMs for how long the sender waits, in milliseconds: an ordinary file is checked in less than half a second
 * @throws what `content` throws
 */
export async function firstCheck(
  slots: FairSlots,
  organizationId: string,
  content: () => AsyncIterable<Buffer>,
  waitMs: number,
): Promise<FirstVerdict> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(LATE), waitMs);
  const { signal } = patience;
  let began = false;
  try {
    const check = () => {
      began = true;
      return checkPdf(content(), { signal }).deep;
    };
    return await slots.run(organizationId, check, signal);
  } catch (error) {
    if (error !== LATE) throw error;
    return { verdict: "late", began };
  } finally {
    clearTimeout(timer);
  }
}
