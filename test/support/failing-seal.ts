import type { TestDatabase } from "./database.ts";

/** A schedule that never comes: jobs are those that a test adds. */
export const NEVER = "0 0 31 2 *";

/** What makes the job platform__seal_audit fail, with words that hold an address; answers what makes it work again. */
export async function breakSealing({ admin }: Pick<TestDatabase, "admin">): Promise<() => Promise<void>> {
  const { rows } = await admin.query<{ definition: string }>(
    "select pg_get_functiondef('jobs.prepare_audit_seal()'::regprocedure) as definition",
  );
  await admin.query(
    `create or replace function jobs.prepare_audit_seal() returns json language plpgsql volatile security definer set search_path = '' as $$
     begin raise exception E'no answer from quiet@example.org\\n  for now' using detail = 'quiet detail'; end $$`,
  );
  return async () => {
    await admin.query(rows[0]?.definition ?? "");
  };
}
