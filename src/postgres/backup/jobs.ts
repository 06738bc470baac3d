import type pg from "pg";

/** Number of jobs in one entry of a backup. */
const JOBS_AT_ONCE = 500;

/**
 * Jobs that wait, run (they will run again: jobs are idempotent) or have failed for good, as JSON arrays, one array for each piece of a
 * backup. graphile-worker's own tables change with its versions, so jobs are stored in the form in which they were requested.
 */
export async function* readJobs(client: pg.Client, onRows: (count: number) => void): AsyncGenerator<Buffer> {
  for (let last = "0"; ; ) {
    const { rows } = await client.query<{ last: string | null; count: number; jobs: string }>(
      `select max(job.id)::text as last, count(*)::integer as count,
         json_agg(json_build_object('task', job.task, 'payload', job.payload, 'queue', job.queue, 'run_at', job.run_at,
           'attempts', job.attempts, 'max_attempts', job.max_attempts, 'last_error', job.last_error, 'key', job.key,
           'priority', job.priority, 'flags', job.flags) order by job.id)::text as jobs
       from (
         select job.id, task.identifier as task, job.payload, queue.queue_name as queue, job.run_at, job.attempts,
           job.max_attempts, job.last_error, job.key, job.priority,
           (select array_agg(flag) from jsonb_object_keys(job.flags) as flag) as flags
         from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id
         left join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id
         where job.id > $1 order by job.id limit ${JOBS_AT_ONCE}
       ) as job`,
      [last],
    );
    const [found] = rows;
    if (found === undefined || found.last === null) return;
    last = found.last;
    onRows(found.count);
    yield Buffer.from(found.jobs);
  }
}

/** Adds the jobs of one entry again, through graphile-worker itself. Returns their number. */
export async function addJobs(client: pg.Client, entry: Buffer): Promise<number> {
  const added = await client.query<{ id: string; attempts: number; last_error: string | null }>(
    `select added.id::text as id, job.attempts, job.last_error
     from json_to_recordset($1) as job (task text, payload json, queue text, run_at timestamptz, attempts smallint,
       max_attempts integer, last_error text, key text, priority integer, flags text[])
     cross join lateral graphile_worker.add_job(job.task, job.payload, queue_name => job.queue, run_at => job.run_at,
       max_attempts => job.max_attempts, job_key => job.key, priority => job.priority, flags => job.flags) as added`,
    // The text is not parsed in between, so numbers and spaces stay unchanged.
    [entry.toString("utf8")],
  );
  // A separate statement, because a statement does not see rows written by the functions it calls.
  await client.query(
    `update graphile_worker._private_jobs as job set attempts = kept.attempts, last_error = kept.last_error
     from unnest($1::bigint[], $2::smallint[], $3::text[]) as kept (id, attempts, last_error)
     where job.id = kept.id and (kept.attempts > 0 or kept.last_error is not null)`,
    [
      added.rows.map(({ id }) => id),
      added.rows.map(({ attempts }) => attempts),
      added.rows.map(({ last_error }) => last_error),
    ],
  );
  return added.rows.length;
}
