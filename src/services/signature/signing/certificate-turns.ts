import { type FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { unavailable } from "../../../errors/app-error.ts";

/**
 * Runs work when it is the turn of an organization.
 * @throws AppError 503 while too many wait
 */
export const inTurn = <Result>(slots: FairSlots, tenantId: string, work: () => Promise<Result>): Promise<Result> =>
  slots.run(tenantId, work).catch((error: unknown) => {
    throw error instanceof SlotsBusyError ? unavailable(error) : error;
  });
