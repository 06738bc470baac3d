create or replace function dns.restore_zone(p_tenant_id uuid, p_name text, out id integer, out records integer)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  v_kept dns.deleted_zones;
  v_zone dns.zones;
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  select kept.* into v_kept from dns.deleted_zones as kept
  where kept.tenant_id = p_tenant_id and kept.name = lower(p_name) order by kept.deleted_at desc limit 1 for update;
  if not found then
    perform platform.fail(404, 'not_found', 'The organization deleted no zone of this name in the last seven days.');
  end if;
  v_zone := dns.make_zone(v_kept.name, v_kept.nameservers, '{}');
  records := (dns.change_records(v_zone, '{}', array(
    select row(null, was.name, was.type, was.content, was.ttl, was.priority, was.disabled, was.comment)::dns.record_draft
    from jsonb_to_recordset(v_kept.records)
      as was (id bigint, name text, type text, content text, ttl integer, priority integer, disabled boolean, comment text)
    order by was.id))).created;
  delete from dns.deleted_zones as kept where kept.tenant_id = p_tenant_id and kept.id = v_kept.id;
  id := v_zone.id;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function dns.restore_zone(uuid, text) is
  'Makes a zone again that an organization deleted in the last seven days, with its nameservers and records. Answers its new id, and how many records it has. 404 not_found, 409 zone_exists, 403 zone_limit_reached and zone_not_allowed, 422 record_limit_reached.';
revoke execute on function dns.restore_zone(uuid, text) from public;
