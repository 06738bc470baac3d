create or replace function dns.read_zone_name(p_name text, p_is_reserved boolean) returns text
  language plpgsql stable set search_path = '' as $$
declare
  c_name constant text := lower(regexp_replace(p_name, '\.$', ''));
  v_fault text;
begin
  v_fault := case
    when octet_length(c_name) not between 3 and 253 then 'must be a name of 3 to 253 characters'
    when position('.' in c_name) = 0 then 'must contain a dot'
    -- The document excludes spaces alone. Underscores: _msdcs.example.com. Slashes in reverse zones: RFC 2317.
    else dns.wrong_host(c_name, true)
  end;
  if v_fault is not null then
    perform platform.refuse_wrong_arguments(jsonb_build_object('name', v_fault));
  elsif p_is_reserved or dns.is_special_name(c_name) then
    perform platform.fail(403, 'zone_not_allowed', 'The name is a public suffix, is reserved, or belongs to this service.');
  end if;
  return c_name;
end
$$;
comment on function dns.read_zone_name(text, boolean) is
  'The name of a zone in its one form: lower case, without a final dot. 422 invalid_request, and 403 zone_not_allowed for a name that nobody may have.';
revoke execute on function dns.read_zone_name(text, boolean) from public;
