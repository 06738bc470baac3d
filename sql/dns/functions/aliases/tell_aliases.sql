create or replace function dns.tell_aliases(p_name text, p_with_names_below boolean, p_by_organization uuid default null)
  returns void language plpgsql volatile set search_path = '' as $$
begin
  if dns.note_alias_news(p_name, p_with_names_below, p_by_organization) then
    perform dns.resolve_later();
  end if;
end
$$;
comment on function dns.tell_aliases(text, boolean, uuid) is
  'Has a worker settle the ALIAS names that lead through a name, or also through names below it, once this transaction is committed. p_by_organization: zones of this organization are to follow too, and its request may do so first.';
revoke execute on function dns.tell_aliases(text, boolean, uuid) from public;
