create or replace function platform.token_record(p_token platform.tokens, p_credentials text[]) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', p_token.name, 'prefix', p_token.prefix, 'scopes', to_jsonb(p_token.scopes),
    'created_at', platform.instant(p_token.created_at), 'expires_at', platform.instant(p_token.expires_at),
    'revoked_at', platform.instant(p_token.revoked_at), 'credentials', to_jsonb(p_credentials))
$$;
comment on function platform.token_record(platform.tokens, text[]) is
  'A token as its digest covers it, with the digests of the credentials that open it. Whose it is, and of which environment, its chain says.';
revoke execute on function platform.token_record(platform.tokens, text[]) from public;
grant execute on function platform.token_record(platform.tokens, text[]) to selo_system;
