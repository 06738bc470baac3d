--! owner selo_system
-- Looks across tenants: ALIAS records of other organizations follow.
create or replace function dns.note_alias_news(p_name text, p_with_names_below boolean, p_by_organization uuid default null) returns boolean
  language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into dns.alias_news (name, with_names_below, by_organization)
    select p_name, p_with_names_below, p_by_organization
    where dns.is_alias_followed(p_name, p_with_names_below)
    returning id
  )
  select exists (select from noted)
$$;
comment on function dns.note_alias_news(text, boolean, uuid) is
  'Keeps a change for a worker, see dns.tell_aliases. Answers whether any ALIAS record leads there.';
revoke execute on function dns.note_alias_news(text, boolean, uuid) from public;
grant execute on function dns.note_alias_news(text, boolean, uuid) to selo_owner;
