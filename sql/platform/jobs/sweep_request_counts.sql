create function jobs.sweep_request_counts() returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_swept integer;
begin
  delete from platform.request_counts as counted where counted.resets_at < now() - interval '1 minute';
  get diagnostics v_swept = row_count;
  return v_swept;
end
$$;
comment on function jobs.sweep_request_counts() is 'Deletes the counts of addresses and actors whose window is over. Answers the number of deleted counts.';
revoke execute on function jobs.sweep_request_counts() from public;
grant execute on function jobs.sweep_request_counts() to selo_worker;
