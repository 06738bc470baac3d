create function gateway.validate_digest(p_sha256 text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('signatures:validate');
  return (
    with known as materialized (
      select found.*, row_number() over () as place
      from signature.known_of_digest(platform.tenant_id(), platform.environment(), p_sha256) as found
    )
    select json_build_object('sha256', p_sha256,
      'known', coalesce(json_agg(json_build_object('as', known.known_as, 'id', known.id, 'envelope_id', known.envelope_id,
        'at', platform.wire_instant(known.at)) order by known.place), '[]'),
      'seals', coalesce(json_agg(known.seal order by known.place) filter (where known.seal is not null), '[]'),
      'platform_keys', (
        select coalesce(json_agg(gateway.platform_keys_json(key) order by key.algorithm), '[]') from api.platform_keys as key
        where key.key_id in (
          select named.key_id from known
          cross join lateral (values (known.seal #>> '{proof,platform_key_id}'), (known.seal #>> '{proof,platform_pq_key_id}')) as named (key_id))))
    from known);
end
$$;
comment on function gateway.validate_digest(text) is
  E'@slow\n@param sha256 {..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits} SHA-256 of the file: 64 lowercase hexadecimal digits.\nFirst half of POST /signatures/validate: what the organization knows of a digest in this environment, and the signed texts that assert it, for the gateway to verify: {sha256, known: [{as, id, envelope_id, at}], seals, platform_keys}.';
revoke execute on function gateway.validate_digest(text) from public;
