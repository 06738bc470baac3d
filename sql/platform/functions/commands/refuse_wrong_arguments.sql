create or replace function platform.refuse_wrong_arguments(p_wrong jsonb) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_strip_nulls(p_wrong) <> '{}' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', (
      select jsonb_agg(jsonb_build_object('field', wrong.name, 'message', wrong.message))
      from jsonb_each_text(p_wrong) as wrong (name, message) where wrong.message is not null));
  end if;
end
$$;
comment on function platform.refuse_wrong_arguments(jsonb) is
  'Raises 422 invalid_request when an argument is wrong. Takes {<name>: answer of platform.wrong_argument, …}.';
revoke execute on function platform.refuse_wrong_arguments(jsonb) from public;
