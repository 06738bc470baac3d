create or replace function accounts.announced_key(p_email text, p_network text, p_tag text, p_proof text) returns bytea
  language plpgsql stable set search_path = '' as $$
begin
  return accounts.keyed_digest('announced attempt', accounts.email_key(p_email), p_network, p_tag, coalesce(p_proof, ''));
end
$$;
comment on function accounts.announced_key(text, text, text, text) is 'The key of an announced attempt in platform.request_counts.';
revoke execute on function accounts.announced_key(text, text, text, text) from public;
