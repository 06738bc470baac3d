--! owner selo_system
-- Looks across tenants: ALIAS records of all organizations have followed a change.
create function jobs.end_alias_news(p_ids bigint[]) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from dns.alias_news as news where news.id = any (p_ids)
$$;
comment on function jobs.end_alias_news(bigint[]) is 'Removes changes that all ALIAS names have followed.';
revoke execute on function jobs.end_alias_news(bigint[]) from public;
grant execute on function jobs.end_alias_news(bigint[]) to selo_worker;
