create or replace function invoicing.chain_of(p_id uuid) returns json
  language sql stable set search_path = '' as $$
  -- Materialized, so that the chain is verified once.
  with chain as materialized (select platform.audit_chain(p_id)::jsonb as body),
    first as (select min((fault.value ->> 'seq')::bigint) as broken_at from chain, jsonb_array_elements(chain.body -> 'faults') as fault (value))
  select (chain.body || jsonb_build_object('valid', first.broken_at is null, 'broken_at', first.broken_at))::json from chain, first
$$;
comment on function invoicing.chain_of(uuid) is
  E'@format invoice_chain\nThe chain of the events of the invoice, verified for this answer.';
revoke execute on function invoicing.chain_of(uuid) from public;
