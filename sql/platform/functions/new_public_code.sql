create or replace function platform.new_public_code() returns text
  language plpgsql volatile set search_path = '' as $$
declare
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  -- Twelve bytes of the CSPRNG, five bits taken of each: 60 bits, no bias.
  c_random constant bytea := extensions.gen_random_bytes(12);
  v_code text := '';
begin
  for v_place in 0..11 loop
    v_code := v_code || case when v_place in (4, 8) then '-' else '' end || substr(c_alphabet, (get_byte(c_random, v_place) & 31) + 1, 1);
  end loop;
  return v_code;
end
$$;
comment on function platform.new_public_code() is
  'A verification code, XXXX-XXXX-XXXX in Crockford base32. The key of platform.public_codes refuses one that is taken: once in a thousand million proofs, when there are a thousand million.';
revoke execute on function platform.new_public_code() from public;
