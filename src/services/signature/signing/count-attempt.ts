import { hash } from "node:crypto";
import { AppError } from "../../../errors/app-error.ts";
import type { Database } from "../../../postgres/database.ts";

/** What a link alone lets its holder begin, and what keeps this machine busy or asks a provider that may cost. */
type Attempt = "session" | "certificate" | "signatures" | "attachment" | "provider";

/** Of each kind, of one link, within an hour: many more than a person needs. */
const MOST_ATTEMPTS = 60;
const HOUR_SECONDS = 3_600;

/** A version of a participant's link. A new one has new attempts: the finder of a leaked link cannot keep its owner from signing. */
export interface CountedLink {
  readonly participant_id: string;
  readonly link_version: number;
}

/**
 * Counts an attempt before its work begins, in a separate transaction: one that is refused counts, too.
 * @throws AppError 429 rate_limited
 */
export async function countAttempt(
  database: Pick<Database, "countRequests">,
  kind: Attempt,
  { participant_id, link_version }: CountedLink,
): Promise<void> {
  const key = hash("sha256", `${kind} of participant ${participant_id.toLowerCase()} link ${link_version}`, "buffer");
  const { count, seconds } = await database.countRequests(key, 1, HOUR_SECONDS);
  if (count > MOST_ATTEMPTS)
    throw new AppError(
      429,
      "rate_limited",
      `This was tried ${MOST_ATTEMPTS} times within an hour. Retry-After says when it can be tried again.`,
      undefined,
      { retryAfterSeconds: seconds },
    );
}
