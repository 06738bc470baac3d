create or replace function dns.rrset_state(p_zone dns.zones, p_named dns.record_draft) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select jsonb_build_object('name', p_named.name || '.', 'type', p_named.type, 'ttl', max(record.ttl), 'records', coalesce(jsonb_agg(jsonb_build_object(
      'content', record.content, 'priority', record.priority, 'disabled', record.disabled, 'comment', record.comment) order by record.id), '[]'))
    from dns.records as record
    where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id and record.name = p_named.name and record.type = p_named.type);
end
$$;
comment on function dns.rrset_state(dns.zones, dns.record_draft) is 'The set of a name and type as it is, in the form of dns.replace_sets.';
revoke execute on function dns.rrset_state(dns.zones, dns.record_draft) from public;
