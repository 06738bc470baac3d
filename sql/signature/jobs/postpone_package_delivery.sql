create function jobs.postpone_package_delivery(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  perform signature.add_package_jobs(array[(p_arguments ->> 'id')::uuid], clock_timestamp() + make_interval(secs => (p_arguments ->> 'seconds')::integer));
  return '{}';
end
$$;
comment on function jobs.postpone_package_delivery(jsonb) is 'Adds the job of a delivery anew, {id, seconds}: so many seconds from now. No attempt is counted.';
revoke execute on function jobs.postpone_package_delivery(jsonb) from public;
