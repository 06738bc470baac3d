import { SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { AppError } from "../../../errors/app-error.ts";
import type { Work } from "../../../surfaces/operation.ts";
import type { DnsParts } from "../parts.ts";
import { ZoneFilesBusyError } from "../zone-file/zone-file-thread.ts";

/** Callers with one credential share the turns of their files. */
export const groupOf = ({ requester }: Pick<Work<DnsParts>, "requester">): string =>
  requester.credentialHash?.toString("hex") ?? "";

/** @throws AppError 503 unavailable if too many zone files wait for their turn */
export const unlessBusy = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ZoneFilesBusyError)) throw error;
    throw new AppError(
      503,
      "unavailable",
      "Too many zone files are being read or written. Try again in a few seconds.",
    );
  });

/** @throws AppError 503 unavailable if too many questions to the public DNS wait for their turn */
export const unlessQueued = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof SlotsBusyError)) throw error;
    throw new AppError(503, "unavailable", "Too many requests wait for the public DNS. Try again in a few seconds.");
  });
