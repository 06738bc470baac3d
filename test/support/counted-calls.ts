// What a command calls in the database, for answers that must take the same work.
import type pg from "pg";

/** Runs a command without a credential and takes it back: how often each function was called, and the answer. */
export async function countedCalls(client: pg.PoolClient, command: string, given: object) {
  const counted = async () => {
    const { rows } = await client.query<{ name: string; calls: number }>(
      "select format('%s.%s', schemaname, funcname) as name, calls::integer from pg_stat_xact_user_functions",
    );
    return new Map(rows.map(({ name, calls }) => [name, calls]));
  };
  await client.query("begin");
  try {
    // Planning calls functions, too.
    await client.query("set local plan_cache_mode = 'force_generic_plan'");
    await client.query("set local track_functions = 'all'");
    const before = await counted();
    const { rows } = await client.query<{ body: string }>("select body from gateway.call(null, $1, $2)", [
      command,
      given,
    ]);
    const calls = [...(await counted())].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
    return {
      calls: Object.fromEntries(calls.filter(([, count]) => count > 0).sort()),
      answer: JSON.parse(rows[0]?.body ?? "null") as unknown,
    };
  } finally {
    await client.query("rollback");
  }
}
