create or replace function signature.send_drafts(p_ids uuid[]) returns jsonb
  -- As in invite_due. The functions that it calls take these settings over.
  language plpgsql volatile set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_is_live constant boolean := platform.environment() = 'live';
  -- A migration may have made sendable what was a draft, and what a template made is a draft whether it can be sent or not.
  c_status constant text := signature.status_after(signature.status_after('draft', 'become_sendable'), 'send');
  v_details jsonb[];
  v_payment record;
  v_spent jsonb := '{}';
begin
  perform platform.require_clock();
  update signature.envelopes as envelope
  set status = c_status, sent_at = sent.at, expires_at = sent.at + make_interval(days => envelope.expires_in_days), verification_code = platform.new_public_code()
  from (select clock_timestamp() as at) as sent
  where envelope.tenant_id = c_tenant_id and envelope.id = any (p_ids);
  select array_agg(jsonb_build_object('status', envelope.status, 'expires_at', platform.instant(envelope.expires_at),
      'verification_code', envelope.verification_code, 'signature_credits', cost.signature, 'icp_brasil_credits', cost.icp_brasil,
      -- Of an envelope that ends before anybody signs, nothing else says what its documents are.
      'documents', (
        select jsonb_agg(jsonb_build_object('document_id', document.id, 'sha256', encode(document.sha256, 'hex')) order by linked.position)
        from signature.envelope_documents as linked
        join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
        where linked.tenant_id = c_tenant_id and linked.envelope_id = envelope.id)) order by given.place) into v_details
  from unnest(p_ids) with ordinality as given (id, place)
  join signature.envelopes as envelope on envelope.tenant_id = c_tenant_id and envelope.id = given.id
  cross join lateral signature.envelope_cost(given.id) as cost;
  perform signature.invite_due(p_ids, 'envelope.sent', v_details);
  insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
  select envelope.verification_code, c_tenant_id, envelope.environment, 'envelope', envelope.id
  from signature.envelopes as envelope where envelope.tenant_id = c_tenant_id and envelope.id = any (p_ids) order by envelope.verification_code;
  -- One movement of a kind pays for all participants of an envelope. Its event names the number of credits.
  for v_payment in
    select price.kind, price.reason, price.amount * cost.credits as each, array_agg(given.id order by given.id) as ids
    from platform.prices as price
    cross join unnest(p_ids, v_details) as given (id, details)
    cross join lateral (select (given.details ->> (price.kind || '_credits'))::bigint as credits) as cost
    where price.action = 'envelope.sent' and cost.credits > 0
    group by price.kind, price.reason, price.amount * cost.credits
    order by price.kind, price.amount * cost.credits
  loop
    perform platform.spend_credits(v_payment.kind, v_payment.each, v_payment.reason, v_payment.ids);
    if c_is_live then
      v_spent := v_spent || jsonb_build_object(v_payment.kind, coalesce((v_spent ->> v_payment.kind)::bigint, 0) + v_payment.each * cardinality(v_payment.ids));
    end if;
  end loop;
  return v_spent;
end
$$;
comment on function signature.send_drafts(uuid[]) is
  'Sends envelopes that lack nothing and that the caller has locked: the move, the deadline, the code, the event, the invitations, and last the credits. Answers the credits of each kind that were taken: none in the test environment. 402 insufficient_credits or insufficient_icp_credits, and 503 clock_behind: nothing was sent.';
revoke execute on function signature.send_drafts(uuid[]) from public;
