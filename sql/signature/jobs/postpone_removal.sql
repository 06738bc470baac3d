create function jobs.postpone_removal(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_is_postponed constant boolean := platform.is_being_copied();
begin
  if c_is_postponed then
    perform platform.add_job('signature__remove_object', json_build_object('object_id', p_arguments ->> 'object_id'),
      clock_timestamp() + interval '1 minute');
  end if;
  return jsonb_build_object('is_postponed', c_is_postponed);
end
$$;
comment on function jobs.postpone_removal(jsonb) is
  'Adds the job that removes an object, {object_id}, anew for the next minute while a backup is under way, whose snapshot may name the object: {is_postponed}.';
revoke execute on function jobs.postpone_removal(jsonb) from public;
