create function jobs.note_worker(p_id text, p_gone_after interval default '15 seconds') returns text[]
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_worker platform.workers;
begin
  insert into platform.workers as worker (id, since, seen_at) values (p_id, clock_timestamp(), clock_timestamp())
  on conflict (id) do update set seen_at = excluded.seen_at,
    since = case when excluded.seen_at - worker.seen_at > p_gone_after / 2 then excluded.since else worker.since end
  returning worker.* into v_worker;
  -- After an outage of Postgres all workers were silent. They come back one after the other: one that was silent itself says nothing of others for a while.
  if v_worker.seen_at - v_worker.since < p_gone_after then
    return '{}';
  end if;
  return array(select other.id from platform.workers as other where other.seen_at < v_worker.seen_at - p_gone_after order by other.id);
end
$$;
comment on function jobs.note_worker(text, interval) is
  'A sign of life of a worker, some seconds after the last one. Answers the workers that have given none for 15 seconds: their jobs may be given to others.';
revoke execute on function jobs.note_worker(text, interval) from public;
grant execute on function jobs.note_worker(text, interval) to selo_worker;
