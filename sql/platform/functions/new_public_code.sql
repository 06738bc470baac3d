create or replace function platform.new_public_code() returns text
  language plpgsql volatile set search_path = '' as $$
declare
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  v_random bytea;
  v_code text;
begin
  loop
    -- Twelve bytes of the CSPRNG, five bits taken of each: 60 bits, no bias.
    v_random := extensions.gen_random_bytes(12);
    select string_agg(substr(c_alphabet, (get_byte(v_random, place) & 31) + 1, 1), '' order by place)
      into v_code from generate_series(0, 11) as place;
    v_code := substr(v_code, 1, 4) || '-' || substr(v_code, 5, 4) || '-' || substr(v_code, 9, 4);
    exit when not exists (select from platform.public_codes as taken where taken.code = v_code);
  end loop;
  return v_code;
end
$$;
comment on function platform.new_public_code() is
  'An unused verification code, XXXX-XXXX-XXXX in Crockford base32. It is taken only once it stands in platform.public_codes.';
revoke execute on function platform.new_public_code() from public;
