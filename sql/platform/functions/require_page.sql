create or replace function platform.require_page(p_limit integer, p_offset integer) returns void
  language plpgsql immutable set search_path = '' as $$
declare
  v_fields jsonb := '[]';
begin
  if p_limit is null or p_limit not between 1 and 200 then
    v_fields := v_fields || '{"field": "limit", "message": "must be between 1 and 200"}';
  end if;
  if p_offset is null or p_offset < 0 then
    v_fields := v_fields || '{"field": "offset", "message": "must be 0 or more"}';
  end if;
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The page is not valid.', v_fields);
  end if;
end
$$;
comment on function platform.require_page(integer, integer) is 'A page of a list: limit 1-200, offset 0 or more; otherwise 422 invalid_request.';
revoke execute on function platform.require_page(integer, integer) from public;
