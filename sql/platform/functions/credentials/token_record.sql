create or replace function platform.token_record(p_token platform.tokens, p_credentials platform.credentials[]) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', p_token.name, 'prefix', p_token.prefix, 'scopes', to_jsonb(p_token.scopes),
    'created_at', platform.instant(p_token.created_at), 'expires_at', platform.instant(max(credential.expires_at)),
    'revoked_at', platform.instant(max(credential.revoked_at)),
    'credentials', coalesce(jsonb_agg(encode(credential.digest, 'hex')
      -- The source is added only for a credential without the source of a token, so that digests in events of v0.1.0 stay valid.
      || case when credential.scopes_from = 'token' and credential.scopes is null then ''
        else format(' %s %s', credential.scopes_from, credential.scopes) end
      order by credential.digest), '[]'))
  from unnest(p_credentials) as credential
$$;
comment on function platform.token_record(platform.tokens, platform.credentials[]) is
  'A token in the form that its digest covers, with its credentials. The chain of its events says which organization and environment the token has.';
revoke execute on function platform.token_record(platform.tokens, platform.credentials[]) from public;
grant execute on function platform.token_record(platform.tokens, platform.credentials[]) to selo_system;
