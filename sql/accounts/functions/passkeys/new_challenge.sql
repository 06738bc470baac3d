create or replace function accounts.new_challenge(p_nonce text, p_purpose text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  c_head constant text := p_nonce || encode(int8send(extract(epoch from clock_timestamp() + interval '5 minutes')::bigint), 'hex');
begin
  return c_head || encode(accounts.keyed_digest('challenge', p_purpose, c_head), 'hex');
end
$$;
comment on function accounts.new_challenge(text, text) is
  'A challenge for a passkey (hexadecimal, 56 bytes): 16 random bytes that the caller drew, the end of its five minutes, and the HMAC of both and of what it is for, under a key that no login reads. Nothing is kept of it until it is used.';
revoke execute on function accounts.new_challenge(text, text) from public;
