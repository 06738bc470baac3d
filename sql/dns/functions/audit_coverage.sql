create or replace function dns.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('dns.api_keys', '{tenant_id,id,actor_id,environment,name,prefix,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the key, which covers its credential'),
    ('pdns.domains', '{id,name,master,last_check,type,notified_serial,account,options,catalog}', 'served', 'compared with what the zone would be published as'),
    ('pdns.records', '{domain_id,id,name,type,content,ttl,prio,disabled,ordername,auth}', 'served', 'compared with what the records of the zone would be published as'),
    ('pdns.cryptokeys', '{id,domain_id,flags,active,published,content}', null, 'nothing: the table is empty, and `selo audit verify` reports every row'),
    ('pdns.domainmetadata', '{id,domain_id,kind,content}', null, 'nothing: the table is empty, and `selo audit verify` reports every row'),
    ('pdns.tsigkeys', '{name,algorithm,secret}', null, 'nothing: the table is empty, and `selo audit verify` reports every row')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function dns.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function dns.audit_coverage() from public;
