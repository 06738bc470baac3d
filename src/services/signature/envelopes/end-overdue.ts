import { AppError } from "../../../errors/app-error.ts";
import type { Work } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";

/** The envelope of an act, by its id or by the participant of a link. */
type ActedOn =
  | { readonly command: "end_overdue_envelope"; readonly id: string }
  | { readonly command: "end_overdue_signing"; readonly participant_id: string };

/**
 * Runs an act on a sent envelope. A refusal undoes its transaction, so an act that was refused because the deadline has passed cannot move the
 * envelope to expired itself: a second transaction does. SQL decides whether there is anything to move, after any 409 conflict.
 */
export async function endingOverdue<Answer>(
  { parts, requester }: Pick<Work<SignatureParts>, "parts" | "requester">,
  { command, ...parameters }: ActedOn,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") {
      const { credentialHash, origin } = requester;
      // Without the Idempotency-Key of the request, which belongs to the act.
      const moved = parts.database.call({ credentialHash, origin, command, arguments: parameters });
      // The caller gets the refusal in any case: the minute job moves what this could not.
      const { body } = await moved.catch(() => ({ body: null }));
      const environment = JSON.parse(body ?? "null") as "live" | "test" | null;
      if (environment !== null) parts.signatureMetrics.ended(environment, "expired");
    }
    throw error;
  }
}
