create function gateway.prepare_receipt(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_body json;
begin
  perform platform.require_scope('proofs:read');
  select json_build_object(
      'proof', gateway.proofs_json(proof),
      'signed', kept.evidence,
      'fault', signature.evidence_fault(kept),
      'environment', kept.environment,
      'language', organization.language,
      'time_zone', organization.time_zone,
      'local_time', to_char(kept.registered_at at time zone organization.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      -- to_char would put a sign before the minutes of a negative interval as well, and no sign before a positive interval.
      'utc_offset', case when ahead.of_utc < interval '0' then '-' else '+' end
        || to_char(greatest(ahead.of_utc, -ahead.of_utc), 'HH24:MI'),
      'platform_keys', (
        select json_agg(gateway.platform_keys_json(key) order by key.algorithm)
        from api.platform_keys as key where key.key_id in (kept.platform_key_id, kept.platform_pq_key_id)))
    into v_body
  from signature.proofs as kept
  join api.proofs as proof on proof.id = kept.id
  join platform.organizations as organization on organization.id = kept.tenant_id
  cross join lateral (
    select (kept.registered_at at time zone organization.time_zone) - (kept.registered_at at time zone 'UTC') as of_utc
  ) as ahead
  where kept.tenant_id = platform.tenant_id() and kept.id = p_id;
  if v_body is null then
    perform platform.fail(404, 'not_found', 'There is no such proof.');
  end if;
  return v_body;
end
$$;
comment on function gateway.prepare_receipt(uuid) is
  E'@param id Id of the proof.\nFirst half of GET /proofs/{id}/receipt: the contents of the receipt, or 404 not_found. local_time is the instant in the organization''s time zone. utc_offset is the difference of that zone from UTC at that instant.';
revoke execute on function gateway.prepare_receipt(uuid) from public;
