create or replace function dns.require_record_right(p_name text, p_type text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if not dns.is_acme_record(p_name, p_type) and dns.is_acme_only() then
    perform platform.fail(403, 'forbidden', 'The key is restricted to TXT records of _acme-challenge.');
  end if;
end
$$;
comment on function dns.require_record_right(text, text) is 'Nothing, or 403 forbidden if the key of the context is narrowed to other records. The name is whole.';
revoke execute on function dns.require_record_right(text, text) from public;
