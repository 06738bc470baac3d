create or replace function invoicing.chain_of(p_id uuid) returns json
  language sql stable set search_path = '' as $$
  -- Materialized, so that the chain is verified once.
  with chain as materialized (select platform.audit_chain(p_id) as body),
    first as (select min((fault.value ->> 'seq')::bigint) as broken_at from chain, json_array_elements(chain.body -> 'faults') as fault (value))
  select json_build_object('subject_id', chain.body -> 'subject_id', 'length', chain.body -> 'length', 'head_hash', chain.body -> 'head_hash',
    'sealed_by', chain.body -> 'sealed_by', 'sealed_length', chain.body -> 'sealed_length', 'faults', chain.body -> 'faults',
    'valid', first.broken_at is null, 'broken_at', first.broken_at)
  from chain, first
$$;
comment on function invoicing.chain_of(uuid) is
  E'@format invoice_chain\nThe chain of the events of the invoice, verified for this answer.';
revoke execute on function invoicing.chain_of(uuid) from public;
