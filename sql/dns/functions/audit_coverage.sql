create or replace function dns.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('dns.api_keys', '{tenant_id,id,actor_id,environment,name,prefix,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the key, which covers its credential')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function dns.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function dns.audit_coverage() from public;
