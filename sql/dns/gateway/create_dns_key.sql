create function gateway.create_dns_key(p_name text, p_scopes text[] default null, p_zones integer[] default null, p_acme_only boolean default false) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_made record;
begin
  perform platform.require_scope('dns_keys:manage');
  select made.id, made.secret into v_made from dns.create_key(platform.tenant_id(), p_name, p_scopes, p_zones, p_acme_only) as made;
  return (
    select (gateway.dns_keys_json(shown)::jsonb || jsonb_build_object('secret', v_made.secret))::json
    from api.dns_keys as shown where shown.id = v_made.id);
end
$$;
comment on function gateway.create_dns_key(text, text[], integer[], boolean) is
  E'@once secret\n@param name {1..100} A name for the key.\n@param scopes {1..100 of ..100} What the key may do: the four scopes of zones and records by default. 403 `forbidden` for a scope that your role lacks.\n@param zones Ids of the zones that the key is limited to. Without them, the key has all zones of the organization.\n@param acme_only Whether the key only writes TXT records of `_acme-challenge`.\nMakes an API key of DNS, whose secret only this answer has.';
revoke execute on function gateway.create_dns_key(text, text[], integer[], boolean) from public;
