create or replace function dns.import_warnings(p_zone dns.zones, p_given dns.import_draft[]) returns jsonb
  language plpgsql stable set search_path = '' set enable_nestloop = off as $$
declare
  c_spf constant text := '^"?v=spf1([ "]|$)';
  v_two_spf text[];
  v_targets text[];
  v_shared text[];
begin
  v_two_spf := array(
    select record.name
    from unnest(dns.records_of_names(p_zone, array(select each.name from unnest(p_given) as each where each.type = 'TXT' and each.content ~* c_spf))) as record
    where record.type = 'TXT' and record.content ~* c_spf and not record.disabled
    group by record.name having count(*) > 1);
  v_targets := array(
    select distinct record.name
    from unnest(dns.records_of_names(p_zone, array(
      select each.content from unnest(p_given) as each where each.type in ('MX', 'NS') and (each.reason is null or each.reason = 'exists')))) as record
    where record.type = 'CNAME' and not record.disabled);
  -- One of both was skipped. At the apex, the reason of the CNAME names ALIAS.
  v_shared := array(
    with skipped as materialized (
      select distinct each.name from unnest(p_given) as each
      where each.reason = 'validation' and each.type in ('CNAME', 'MX', 'NS') and each.name <> p_zone.name
    )
    select there.name
    from (
      select each.name, each.type from unnest(p_given) as each where each.name in (select skipped.name from skipped)
      union all
      select record.name, record.type from unnest(dns.records_of_names(p_zone, array(select skipped.name from skipped))) as record
    ) as there
    group by there.name having bool_or(there.type = 'CNAME') and bool_or(there.type in ('MX', 'NS')));
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', found.code, 'message',
      (select string_agg(shown.name, ', ' order by shown.name) from (
        select each.name collate "C" as name from unnest(found.names) as each (name) order by 1 limit 20) as shown)
      || case when cardinality(found.names) > 20 then format(' and %s more names', cardinality(found.names) - 20) else '' end || found.words)), '[]')
    from (values
      ('two_spf', v_two_spf, ': the name has several SPF records, and receivers then take none of them (RFC 7208 §4.5). Join them into one.'),
      ('target_is_cname', v_targets, ': an MX or NS record leads to this name, which is a CNAME (RFC 2181 §10.3). Name the host with the addresses.'),
      ('cname_not_alone', v_shared, ': the name has a CNAME and an MX or NS record, and a CNAME stands alone. skipped_records says which was skipped.')
    ) as found (code, names, words) where found.names <> '{}');
end
$$;
comment on function dns.import_warnings(dns.zones, dns.import_draft[]) is
  'What is odd about the records of a zone file after they were written, [{code, message}]: several SPF records at a name, MX or NS records that lead to a CNAME, and those at the name of one.';
revoke execute on function dns.import_warnings(dns.zones, dns.import_draft[]) from public;
