create or replace function dns.create_key(
  p_tenant_id uuid, p_name text, p_scopes text[] default null, p_zones integer[] default null, p_acme_only boolean default false,
  out id integer, out name text, out prefix text, out scopes text[], out zones integer[], out acme_only boolean, out created_at timestamptz, out last_used_at timestamptz, out revoked_at timestamptz,
  out secret text
)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  c_known constant text[] := array(select known.name from platform.scopes as known where 'api_key' = any (known.kinds) order by known.name);
  c_saved constant text[] := platform.saved_context();
  v_fields jsonb := '[]';
  v_key dns.api_keys;
begin
  if p_name is null or char_length(p_name) not between 1 and 100 then
    v_fields := v_fields || '{"field": "name", "message": "must have 1 to 100 characters"}';
  end if;
  if cardinality(p_scopes) = 0 or not p_scopes <@ c_known then
    v_fields := v_fields || jsonb_build_object('field', 'scopes', 'message', 'must be some of: ' || array_to_string(c_known, ', '));
  end if;
  -- The audit trail names who asked: a person, or the operator.
  perform platform.restore_context(array[p_tenant_id::text, 'live'] || c_saved[3:]);
  select array_agg(distinct asked order by asked) into zones from unnest(p_zones) as asked;
  if p_zones is not null and (cardinality(p_zones) not between 1 and 1000
    or exists (select from unnest(zones) as asked where not exists (select from dns.zones as zone where zone.tenant_id = p_tenant_id and zone.id = asked)))
  then
    v_fields := v_fields || '{"field": "zones", "message": "must be 1 to 1,000 ids of zones of the organization"}';
  end if;
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  select array_agg(distinct asked order by asked) into scopes from unnest(coalesce(p_scopes, c_known)) as asked;
  -- Nobody hands on a scope without having it. The operator has no scopes, and gives any.
  if c_saved[3] <> '' then
    perform platform.require_scope(asked) from unnest(scopes) as asked;
  end if;
  -- 32 bytes of the CSPRNG in base64url: 256 bits, 43 characters.
  prefix := 'dns_' || encode(extensions.gen_random_bytes(4), 'hex');
  secret := prefix || '_' || translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/=', '-_');
  insert into dns.api_keys (tenant_id, name, prefix, zones, acme_only)
  values (p_tenant_id, p_name, prefix, zones, coalesce(p_acme_only, false)) returning * into v_key;
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
  values (sha256(sha256(convert_to(secret, 'UTF8'))), 'api_key', p_tenant_id, 'live', v_key.actor_id, 'credential', scopes);
  id := v_key.id;
  name := v_key.name;
  acme_only := v_key.acme_only;
  created_at := v_key.created_at;
  -- The mail of a token: to the contact both are credentials that programs hold.
  perform platform.mail_contact('token_created', jsonb_build_object('name', p_name, 'prefix', prefix, 'scopes', scopes, 'at', platform.instant(clock_timestamp())));
  perform platform.record_audit_event('api_key.created', 'api_key', v_key.actor_id,
    jsonb_build_object('key_id', id, 'prefix', prefix, 'scopes', scopes, 'zones', zones, 'acme_only', acme_only, 'record_sha256', dns.key_record(v_key)));
  perform platform.restore_context(c_saved);
end
$$;
comment on function dns.create_key(uuid, text, text[], integer[], boolean) is
  'Makes an API key of an organization, with all four scopes unless some are named. It may be narrowed to zones of the organization, and to TXT records of _acme-challenge. The caller is an operator, or a person, who gives no scope that the person lacks (403 forbidden). Only the answer of this call has the secret. 422 invalid_request names the wrong members.';
revoke execute on function dns.create_key(uuid, text, text[], integer[], boolean) from public;
