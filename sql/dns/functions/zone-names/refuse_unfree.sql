create or replace function dns.refuse_unfree(p_name text, p_is_proven boolean) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_is_other boolean;
begin
  select holder.is_other into v_is_other from dns.holder_of(platform.tenant_id(), p_name) as holder;
  if v_is_other is false then
    perform platform.fail(409, 'zone_exists', 'Your organization already has this zone.');
  elsif v_is_other then
    if p_is_proven then
      perform platform.fail(409, 'zone_exists', 'The domain is already registered in this service, and the public DNS delegates it to that zone.');
    end if;
    perform dns.refuse_taken(p_name, 'zone_exists', 'The domain is already registered in this service.');
  elsif exists (select from dns.zones_above(platform.tenant_id(), p_name) as above where above.is_active) then
    perform platform.fail(403, 'zone_not_allowed',
      'The name lies below an active zone of another organization. The holder of that zone can delegate the name with NS records.');
  elsif p_is_proven then
    -- Zones above are not active, and those below are: all stay, until this one is active and does not delegate them, or one above is and does not delegate this one.
    return;
  elsif exists (select from dns.zones_above(platform.tenant_id(), p_name)) then
    perform dns.refuse_taken(p_name, 'zone_not_allowed',
      'The name lies below a zone of another organization, whose holder can delegate it with NS records.');
  elsif exists (select from dns.zones_below(platform.tenant_id(), p_name)) then
    perform dns.refuse_taken(p_name, 'zone_not_allowed', 'The name lies above a zone of another organization.');
  end if;
end
$$;
comment on function dns.refuse_unfree(text, boolean) is
  'Refuses a name for the organization of the context that another zone has, or that lies above or below zones of other organizations: 409 zone_exists, 403 zone_not_allowed. p_is_proven: the public DNS gives the name to the organization.';
revoke execute on function dns.refuse_unfree(text, boolean) from public;
