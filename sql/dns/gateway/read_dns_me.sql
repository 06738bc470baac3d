create function gateway.read_dns_me() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_token();
  if current_setting('app.actor_kind') <> 'api_key' then
    perform platform.fail(403, 'missing_scope', 'This path takes an API key of DNS (dns_…).');
  end if;
  return (
    select json_build_object(
      'org_id', organization.number,
      'organization', organization.name,
      'prefix', (
        select key.prefix from dns.api_keys as key
        where key.tenant_id = organization.id and key.actor_id = current_setting('app.actor_id')::uuid),
      'scopes', (
        select coalesce(json_agg(scope order by scope), '[]') from unnest(string_to_array(current_setting('app.scopes'), ' ')) as scope),
      'zones', dns.key_zones(),
      'acme_only', dns.is_acme_only(),
      'limits', (select own.limits from api.billing_plan as own))
    from platform.organizations as organization
    where organization.id = platform.tenant_id());
end
$$;
comment on function gateway.read_dns_me() is
  'GET /v1/me: the organization and the scopes behind an API key, what the key is narrowed to, and the limits of the organization''s plan. The command needs no scope: the holder of a key may know what the key opens. 403 missing_scope for a token of the main API.';
revoke execute on function gateway.read_dns_me() from public;
