create function gateway.list_platform_keys() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.allow_anyone();
  return (select row_to_json(answer) from (
    select coalesce(json_agg(gateway.platform_keys_json(key) order by key.created_at, key.key_id), '[]') as platform_keys,
      (select coalesce(json_agg(gateway.seal_certificates_json(made) order by made.created_at, made.certificate_id), '[]')
        from api.seal_certificates as made) as seal_certificates,
      coalesce(platform.setting('own_seal_certificates'), '[]')::json as own_seal_certificates
    from api.platform_keys as key
  ) as answer);
end
$$;
comment on function gateway.list_platform_keys() is 'GET /public/platform-key: every key that ever signed and every certificate that ever sealed, those of the operator with their chains, so that what they signed long ago can still be verified.';
revoke execute on function gateway.list_platform_keys() from public;
