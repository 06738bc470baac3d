create or replace function dns.observed_ns(p_answers jsonb) returns text[]
  language sql immutable set search_path = '' as $$
  select case
    when (p_answers ->> 'is_changing')::boolean then null
    when jsonb_typeof(p_answers -> 'parent_ns') = 'array' or jsonb_typeof(p_answers -> 'resolver_ns') = 'array' then array(
      select jsonb_array_elements_text(heard.said) as name
      from (values (p_answers -> 'parent_ns'), (p_answers -> 'resolver_ns')) as heard (said)
      where jsonb_typeof(heard.said) = 'array'
      group by name order by name)
  end
$$;
comment on function dns.observed_ns(jsonb) is
  'The NS records that the public DNS shows for a name: those of the parent''s referral and those that the resolver says, together. Empty for a name that is not delegated. Null where neither answered, or where two servers of the parent answered differently. p_answers: ObservedDelegation of TypeScript.';
revoke execute on function dns.observed_ns(jsonb) from public;
