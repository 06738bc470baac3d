import pg from "pg";
import { MigrationError } from "./migrate/migration-error.ts";

/** A transaction that does not get its locks in this time lets others pass and tries again. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

/** The application_name of connections that verify the audit trail. */
export const VERIFICATION_NAME = "selo audit verify";

/** Readers with long transactions. A migration waits for them before it takes any lock. */
type LongReader = "analyst" | "verification";

/** How long a migration waits for each kind, in milliseconds. A verification takes ten minutes on a large database. */
export type ReaderPatience = Readonly<Record<LongReader, number>>;
const READER_PATIENCE: ReaderPatience = { analyst: 60_000, verification: 15 * 60_000 };

export interface PatientOptions {
  /** Called once for each kind of reader that the migration waits for. */
  readonly log?: (message: string) => void;
  readonly readerPatience?: ReaderPatience;
}

interface Met {
  readonly kind: LongReader;
  readonly pid: number;
  readonly login: string;
}

/** The sessions of long readers. A login that may not see when transactions began waits for every analyst. */
const LONG_READERS = `
  select kind, session.pid, session.usename as login
  from pg_stat_activity as session
  cross join lateral (select case
    when session.usename like 'selo\\_analyst\\_%' and coalesce(session.xact_start < clock_timestamp() - interval '1 second', true)
      then 'analyst'
    when session.application_name = '${VERIFICATION_NAME}' then 'verification'
  end) as known (kind)
  where session.datname = current_database() and kind is not null and exists (
    select from pg_locks as held
    join pg_class as relation on relation.oid = held.relation
    where held.pid = session.pid and held.granted
      and relation.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast'))
  order by kind, session.pid
  limit 1`;

/** Whether a second attempt is enough, because others held the needed locks. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED);
}

/**
 * Runs work in a transaction. If others hold its locks, the transaction begins again, because a long wait for locks would block everyone behind it.
 * @throws MigrationError if analysts or verifications of the audit trail read for longer than the migration waits
 */
export async function inPatientTransaction(
  client: pg.Client,
  settings: string,
  work: () => Promise<void>,
  options: PatientOptions = {},
): Promise<void> {
  const waited = { analyst: 0, verification: 0 };
  for (let attempt = 1; ; attempt++) {
    await letReadersFinish(client, waited, options);
    try {
      return await inTransaction(client, `set local lock_timeout = '${LOCK_TIMEOUT}'; ${settings}`, work);
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !isLockFailure(error)) throw error;
    }
  }
}

/**
 * Waits until no analyst and no verification reads. Their transactions keep locks on what they read until the end. If this wait
 * held locks itself, every gateway would be blocked meanwhile, so it holds none. LOCK_TIMEOUT is enough for short readers.
 * @param waited how long each kind was waited for so far, in milliseconds
 */
async function letReadersFinish(
  client: pg.Client,
  waited: Record<LongReader, number>,
  { log = () => {}, readerPatience = READER_PATIENCE }: PatientOptions,
): Promise<void> {
  let told: LongReader | null = null;
  for (;;) {
    const { rows } = await client.query<Met>(LONG_READERS);
    const [met] = rows;
    if (met === undefined) return;
    const { kind } = met;
    const { who, ending } = DESCRIBED[kind](met);
    const patience = readerPatience[kind];
    if (waited[kind] >= patience)
      throw new MigrationError(
        `${who} has been reading for ${inWords(patience)}; ${ending}, or wait and migrate again`,
      );
    if (told !== kind) log(`waiting for ${who} to finish reading, for at most ${inWords(patience)}; ${ending}`);
    told = kind;
    const began = performance.now();
    await client.query("select pg_sleep(0.1)");
    waited[kind] += performance.now() - began;
  }
}

const DESCRIBED: Readonly<Record<LongReader, (met: Met) => { readonly who: string; readonly ending: string }>> = {
  analyst: ({ login }) => ({ who: `the analyst ${login}`, ending: `selo analyst revoke ${login} ends it` }),
  verification: ({ login, pid }) => ({
    who: `a verification of the audit trail (login ${login}, process ${pid})`,
    ending: `select pg_terminate_backend(${pid}) ends it (a worker's verification begins anew by itself)`,
  }),
};

function inWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 120 ? `${seconds} seconds` : `${seconds / 60} minutes`;
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
