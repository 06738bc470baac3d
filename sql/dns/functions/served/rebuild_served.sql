create or replace function dns.rebuild_served(p_opened jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_zone record;
begin
  for v_zone in select known.tenant_id, known.id from dns.all_zones() as known loop
    perform platform.enter_context(v_zone.tenant_id, 'live', null, null, null);
    -- Locked, so that no change is published from older records than it wrote. The zone may be gone meanwhile.
    perform from dns.zones as zone where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id for update;
    if found then
      perform dns.publish_zone(v_zone.id, p_opened);
    end if;
  end loop;
  perform platform.enter_context(null, null, null, null, null);
  perform dns.withdraw_zone(orphan) from dns.orphaned_domains() as orphan;
  delete from pdns.tsigkeys;
end
$$;
comment on function dns.rebuild_served(jsonb) is
  'Makes schema pdns again from the zones of all organizations, in one transaction. Rows that are right stay as they are, so the nameservers answer meanwhile. A zone cannot be changed until the end. p_opened: the private keys of dns.list_unserved_keys by their ids.';
revoke execute on function dns.rebuild_served(jsonb) from public;
