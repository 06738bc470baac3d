create or replace function signature.most_factor_tries(p_method text) returns integer
  language sql immutable parallel safe set search_path = '' as $$
  select case p_method when 'cpf' then 5 when 'kba' then 2 when 'identity_match' then 1 end
$$;
comment on function signature.most_factor_tries(text) is 'How many wrong tries of a second factor a link has. Null for a method without a second factor.';
revoke execute on function signature.most_factor_tries(text) from public;
