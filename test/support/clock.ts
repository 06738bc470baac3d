import type { TestDatabase } from "./database.ts";
import { tamper } from "./tamper.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Enough for a test. */
const NEAR_MS = 20_000;

/** Waits until midnight (UTC) is over where it is near: a test of days sees one day. */
export const awayFromMidnight = () => awayFromTheEndOf(DAY_MS);

/** The same for a test of days of several time zones, each of which begins at a full hour. */
export const awayFromTheHour = () => awayFromTheEndOf(HOUR_MS);

async function awayFromTheEndOf(span: number): Promise<void> {
  const left = span - (Date.now() % span);
  if (left < NEAR_MS) await new Promise((resolve) => setTimeout(resolve, left));
}

/** Makes the clock seem behind: the newest event is of so many seconds later. The answer sets it right again. */
export async function recordTomorrow(database: TestDatabase, seconds = 86_400): Promise<() => Promise<void>> {
  const { rows } = await database.admin.query<{ id: string; occurred_at: string }>(
    "select id, occurred_at::text from platform.audit_events order by id desc limit 1",
  );
  const [newest] = rows;
  const change = "update platform.audit_events set occurred_at = $2 where id = $1";
  await tamper(database, [
    "update platform.audit_events set occurred_at = clock_timestamp() + $2 * interval '1 second' where id = $1",
    [newest?.id, seconds],
  ]);
  return () => tamper(database, [change, [newest?.id, newest?.occurred_at]]);
}
