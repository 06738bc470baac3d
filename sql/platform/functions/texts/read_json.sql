create or replace function platform.read_json(p_text text) returns jsonb
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return p_text::jsonb;
exception when data_exception or program_limit_exceeded then
  return null;
end
$$;
comment on function platform.read_json(text) is 'Reads JSON that may have been tampered with. Null for a text that is not JSON, so that one damaged row does not end a verification.';
revoke execute on function platform.read_json(text) from public;
grant execute on function platform.read_json(text) to selo_system;
