create or replace function dns.withdraw_domain(p_domain_id integer) returns void
  language sql volatile set search_path = '' as $$
  delete from pdns.cryptokeys as key where key.domain_id = p_domain_id;
  delete from pdns.domainmetadata as setting where setting.domain_id = p_domain_id;
  delete from pdns.records as record where record.domain_id = p_domain_id;
  delete from pdns.domains as domain where domain.id = p_domain_id;
$$;
comment on function dns.withdraw_domain(integer) is 'Removes everything of schema pdns that has this id of a zone.';
revoke execute on function dns.withdraw_domain(integer) from public;
