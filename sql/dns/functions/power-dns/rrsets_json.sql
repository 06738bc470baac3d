create or replace function dns.rrsets_json(p_zone dns.zones, p_name text default null, p_type text default null) returns json
  language plpgsql stable set search_path = '' as $$
declare
  c_is_acme_only constant boolean := dns.is_acme_only();
  c_name constant text := regexp_replace(lower(p_name collate "C"), '\.$', '');
begin
  return (
    select coalesce(json_agg(json_build_object('name', rrset.name || '.', 'type', rrset.type, 'ttl', rrset.ttl, 'records', rrset.records,
      'comments', rrset.comments) order by rrset.name, rrset.type), '[]')
    from (
      select kept.name, kept.type, max(kept.ttl) as ttl,
        json_agg(json_build_object('content', dns.rrset_content(kept.type, kept.content, kept.priority), 'disabled', kept.disabled) order by kept.id) as records,
        -- There a set has comments, here each record has one.
        array_to_json(array(
          select json_build_object('account', '', 'content', said.comment, 'modified_at', extract(epoch from min(said.created_at))::bigint)
          from unnest(array_agg(row(kept.comment, kept.created_at, kept.id) order by kept.id)) as said (comment text, created_at timestamptz, id bigint)
          where said.comment is not null group by said.comment order by min(said.id))) as comments
      from (
        select record.id, record.name, record.type, record.content, record.priority, record.ttl, record.disabled, record.comment, record.created_at
        from dns.records as record where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id
        union all
        select null, p_zone.name, apex.type, apex.content, null, apex.ttl, false, null, null from dns.served_apex(p_zone) as apex
      ) as kept
      where (p_name is null or kept.name = c_name) and (p_type is null or kept.type = upper(p_type))
        and (not c_is_acme_only or dns.is_acme_record(kept.name, kept.type))
      group by kept.name, kept.type
    ) as rrset);
end
$$;
comment on function dns.rrsets_json(dns.zones, text, text) is
  'The sets of a zone as the API of PowerDNS answers them, those of the apex included, or only those of a name and of a type: [{name, type, ttl, records: [{content, disabled}], comments}]. A key that is narrowed to TXT records of _acme-challenge is shown only these.';
revoke execute on function dns.rrsets_json(dns.zones, text, text) from public;
