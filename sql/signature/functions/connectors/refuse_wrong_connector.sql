create or replace function signature.refuse_wrong_connector(p_connector signature.connectors, p_is_loopback boolean) returns void
  language sql stable set search_path = '' as $$
  select platform.refuse_wrong_arguments(jsonb_build_object(
    'name', signature.wrong_text(p_connector.name, true),
    'endpoint', case
      when p_is_loopback and platform.environment() <> 'test' then 'must be an https:// address; only test tokens may use an address of this machine'
      -- Storages would take each object, and put it into a folder of the name of the bucket.
      when left(split_part(p_connector.endpoint, '://', 2), length(p_connector.bucket) + 4) in (lower(p_connector.bucket) || '.s3.', lower(p_connector.bucket) || '.s3-')
        or right(split_part(p_connector.endpoint, '://', 2), length(p_connector.bucket) + 1) = '/' || p_connector.bucket
        then 'must be the address of the storage, without the bucket' end,
    'prefix', case
      when p_connector.prefix <> '' and signature.wrong_text(p_connector.prefix, true) is not null then signature.wrong_text(p_connector.prefix, true)
      when p_connector.prefix ~ '^/|/$|//' then 'must not begin or end with a slash, nor have two beside each other'
      when p_connector.prefix ~ '\.\.|(^|/)\.(/|$)' then 'must not have .. and no part that is a point' end))
$$;
comment on function signature.refuse_wrong_connector(signature.connectors, boolean) is
  '422 invalid_request for a connector whose name or prefix is wrong, whose address is that of the bucket, or that is on this machine outside of the test environment. The limits of parameters say the rest.';
revoke execute on function signature.refuse_wrong_connector(signature.connectors, boolean) from public;
