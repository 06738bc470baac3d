create or replace function invoicing.chain_of(p_id uuid) returns json
  language sql stable set search_path = '' as $$
  select (chain.of::jsonb || jsonb_build_object('valid', first.broken_at is null, 'broken_at', first.broken_at))::json
  from (select platform.audit_chain(p_id) as of) as chain
  cross join lateral (select min((fault.value ->> 'seq')::bigint) as broken_at from json_array_elements(chain.of -> 'faults') as fault (value)) as first
$$;
comment on function invoicing.chain_of(uuid) is
  E'@format invoice_chain\nThe chain of the events of the invoice, verified for this answer.';
revoke execute on function invoicing.chain_of(uuid) from public;
