create or replace function dns.record_parent_ds(p_zone_id integer, p_ds text[]) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_zone dns.zones := dns.require_zone(p_zone_id::text, true);
  v_chain text;
begin
  if p_ds is null then
    return;
  end if;
  update dns.zones as zone
  set parent_ds = array(select distinct upper(regexp_replace(btrim(there), '\s+', ' ', 'g')) from unnest(p_ds) as there order by 1), parent_ds_checked_at = clock_timestamp()
  where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id returning zone.* into v_zone;
  v_chain := dns.chain_of_trust(v_zone);
  if v_chain = 'broken' and v_zone.status = 'active' and v_zone.chain_broken_at is null then
    update dns.zones as zone set chain_broken_at = v_zone.parent_ds_checked_at where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id;
    perform platform.mail_contact('zone_chain_broken', jsonb_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'signed', dns.is_signed(v_zone),
      'parent_ds', to_jsonb(v_zone.parent_ds), 'ds_records', coalesce((select to_jsonb(array_agg(key.ds_records[1] order by key.id)) from dns.zone_keys(v_zone) as key), '[]')));
    perform webhooks.emit_event('zone.chain_broken', v_zone.subject_id,
      json_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'status', v_zone.status), v_zone.parent_ds_checked_at);
  elsif v_chain <> 'broken' and v_chain <> 'unknown' then
    update dns.zones as zone set chain_broken_at = null where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id and zone.chain_broken_at is not null;
  end if;
end
$$;
comment on function dns.record_parent_ds(integer, text[]) is
  'Keeps which DS records the parent of a zone of the context publishes: each as tag, algorithm, digest type and digest in hexadecimal; an empty list for none; null where nobody answered, which changes nothing. When the chain of an active zone turns broken, its owner gets a mail and webhooks an event, and again only after it was whole. 404 not_found for any other zone.';
revoke execute on function dns.record_parent_ds(integer, text[]) from public;
