import pg from "pg";

/** Whatever cannot get its locks lets the traffic pass and comes back. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

/**
 * Analysts keep what they read locked for as long as their transaction lasts. Whoever waited for that with locks of his own
 * would hold up every gateway meanwhile: so it is waited for with none, and short ones are left to LOCK_TIMEOUT. (Who may
 * not see when a transaction began waits for each.)
 */
const LET_ANALYSTS_FINISH = `do $$
begin
  for v_attempt in 1..20 loop
    perform pg_stat_clear_snapshot();
    if not exists (
      select from pg_locks as held
      join pg_stat_activity as session on session.pid = held.pid
      join pg_class as relation on relation.oid = held.relation
      where session.datname = current_database() and session.usename like 'selo\\_analyst\\_%'
        and coalesce(session.xact_start < clock_timestamp() - interval '1 second', true)
        and relation.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
    ) then
      return;
    end if;
    perform pg_sleep(0.1);
  end loop;
  raise exception 'an analyst has been reading for a minute; selo analyst revoke ends it' using errcode = 'lock_not_available';
end
$$`;

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
    await client.query(LET_ANALYSTS_FINISH);
    await client.query(settings);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
