import pg from "pg";

/** Whatever cannot get its locks lets the traffic pass and comes back. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

/** Whether a statement only has to be tried again, because others held what it needed. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED);
}

/** Begun again while others hold its locks: waiting for long would hold up everyone behind it. */
export async function inPatientTransaction(
  client: pg.Client,
  settings: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(client, `set local lock_timeout = '${LOCK_TIMEOUT}'; ${settings}`, work);
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !isLockFailure(error)) throw error;
    }
  }
}

async function inTransaction(client: pg.Client, settings: string, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await client.query(settings);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
