create function gateway.record_proofs(p_proofs jsonb) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_public_url constant text := platform.setting('public_url');
  c_has_keys constant boolean := p_proofs @? '$[*].idempotency_key ? (@ <> null)';
  v_claimed bigint[] := '{}'; -- places of the items that claimed their key
  v_created uuid[];
  v_events webhooks.event_draft[];
  v_price platform.prices;
begin
  perform platform.require_scope('proofs:write');
  if jsonb_array_length(p_proofs) > 50 then
    perform platform.fail(422, 'invalid_request', 'A batch has at most 50 proofs.', '[{"field": "proofs", "message": "must be at most 50"}]');
  end if;
  perform signature.refuse_forged_evidence(p_proofs);

  -- Locks are taken in one order (sql/README.md): keys, digests, codes, credits, each kind sorted. An item waits for
  -- another transaction with the same key or digest, and then the earlier row wins.
  if c_has_keys then
    with item as (
      select distinct on (given.idempotency_key) given.idempotency_key, given.request_hash, given.place
      from rows from (jsonb_to_recordset(p_proofs) as (idempotency_key text, request_hash text))
        with ordinality as given (idempotency_key, request_hash, place)
      where given.idempotency_key is not null
      order by given.idempotency_key, given.place
    ), claimed as (
      insert into platform.idempotency_keys (tenant_id, environment, key, request_hash)
      select c_tenant_id, c_environment, item.idempotency_key, decode(item.request_hash, 'hex') from item order by item.idempotency_key
      on conflict (tenant_id, environment, key) do nothing
      returning key
    )
    select coalesce(array_agg(item.place), '{}') into v_claimed from claimed join item on item.idempotency_key = claimed.key;
  end if;

  with recorded as (
    -- Columns are read from the signed evidence, so columns and evidence cannot differ.
    insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, file_size, language, registered_at,
      verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
    select organization.id, signed.proof_id, c_environment, decode(signed.sha256, 'hex'), signed.label, signed.file_name,
      signed.file_size, item.language, signed.registered_at, signed.verification_code, item.evidence,
      signed.key_id, decode(item.platform_signature, 'base64'), signed.pq_key_id, decode(item.platform_signature_pq, 'base64')
    from rows from (jsonb_to_recordset(p_proofs) as (
      idempotency_key text, language text, evidence text, platform_signature text, platform_signature_pq text
    )) with ordinality as item (idempotency_key, language, evidence, platform_signature, platform_signature_pq, place)
    cross join lateral jsonb_to_record(item.evidence::jsonb) as signed (
      tenant_id uuid, proof_id uuid, sha256 text, label text, file_name text, file_size bigint, registered_at timestamptz,
      verification_code text, key_id text, pq_key_id text)
    join platform.organizations as organization on organization.id = c_tenant_id and organization.id = signed.tenant_id
    where item.evidence is not null and (item.idempotency_key is null or item.place = any (v_claimed))
    order by signed.sha256
    on conflict (tenant_id, environment, sha256) do nothing
    returning id, sha256, label, registered_at, verification_code, evidence
  ), audited as (
    insert into platform.audit_events
    select event.*
    from (
      -- A new proof has a new chain. This event is the first event of the chain.
      select array_agg(row('proof.registered', 'proof', recorded.id,
        '{"evidence_sha256":"' || encode(sha256(convert_to(recorded.evidence, 'UTF8')), 'hex') || '"}', '{}', item.origin,
        1, decode(repeat('00', 32), 'hex'))::platform.audit_entry order by recorded.id) as entries
      from recorded
      join jsonb_to_recordset(p_proofs) as item (proof_id uuid, origin jsonb) on item.proof_id = recorded.id
    ) as registered
    cross join lateral platform.make_audit_events(registered.entries) as event
  ), published as (
    insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
    select recorded.verification_code, c_tenant_id, c_environment, 'proof', recorded.id
    from recorded order by recorded.verification_code
  ), queued as (
    insert into signature.unverified_proofs (tenant_id, environment, proof_id)
    select c_tenant_id, c_environment, recorded.id from recorded
  )
  select coalesce(array_agg(recorded.id), '{}'), array_agg(row('proof.registered', recorded.id, (
      select row_to_json(data) from (
        select recorded.id as proof_id, encode(recorded.sha256, 'hex') as sha256, recorded.label,
          platform.wire_instant(recorded.registered_at) as registered_at, recorded.verification_code,
          c_public_url || '/verify/' || recorded.verification_code as verify_url
      ) as data), recorded.registered_at)::webhooks.event_draft order by recorded.id)
    into v_created, v_events
  from recorded;

  if cardinality(v_created) > 0 then
    perform webhooks.emit_events(v_events);
    select * into strict v_price from platform.prices as price where price.reason = 'proof_registered';
    perform platform.spend_credits(v_price.kind, v_price.amount, v_price.reason, v_created);
  end if;

  -- Here and below each item has one look-up by index (limit 1): a join would be planned while the tables are small, as a hash of all rows.
  if cardinality(v_claimed) > 0 then
    update platform.idempotency_keys as kept
    set subject_id = answered.id, status = case when item.proof_id = any (v_created) then 201 else 200 end
    from rows from (jsonb_to_recordset(p_proofs) as (sha256 text, proof_id uuid, idempotency_key text))
      with ordinality as item (sha256, proof_id, idempotency_key, place)
    cross join lateral (
      select winner.id from signature.proofs as winner
      where winner.tenant_id = c_tenant_id and winner.environment = c_environment and winner.sha256 = decode(item.sha256, 'hex') limit 1
    ) as answered
    where kept.tenant_id = c_tenant_id and kept.environment = c_environment
      and kept.key = item.idempotency_key and item.place = any (v_claimed);
  end if;

  return (
    select json_agg(case
        when kept.request_hash <> decode(item.request_hash, 'hex') then json_build_object('failure',
          platform.failure(409, 'conflict', 'This Idempotency-Key was used with another request.'))
        when item.proof_id = any (v_created) then json_build_object('status', 201, 'replayed', false)
        -- The answer is that of an earlier request for the key or the digest. A seal that was made for this request is discarded.
        when kept.status is not null and not item.place = any (v_claimed) then json_build_object('status', kept.status,
          'replayed', true, 'body', signature.proof_body(kept.subject_id, kept.status = 201))
        else json_build_object('status', 200, 'replayed', false, 'body', signature.proof_body((
          select winner.id from signature.proofs as winner
          where winner.tenant_id = c_tenant_id and winner.environment = c_environment and winner.sha256 = decode(item.sha256, 'hex')
        ), false))
      end order by item.place)
    from rows from (jsonb_to_recordset(p_proofs) as (
      sha256 text, proof_id uuid, idempotency_key text, request_hash text
    )) with ordinality as item (sha256, proof_id, idempotency_key, request_hash, place)
    left join lateral (
      select found.request_hash, found.status, found.subject_id from platform.idempotency_keys as found
      where found.tenant_id = c_tenant_id and found.environment = c_environment and found.key = item.idempotency_key limit 1
    ) as kept on true
  );
end
$$;
comment on function gateway.record_proofs(jsonb) is
  'Second half of POST /proofs: keeps signed evidence, codes, credits and Idempotency-Keys of one token''s requests in one transaction. Takes [{sha256, proof_id, language, evidence, platform_signature (base64), platform_signature_pq (base64), idempotency_key, request_hash (hex), origin}]. A request without evidence only claims its key for the digest''s earlier proof. Answers an outcome for each request: {status: 201}, {status, replayed, body} of an earlier request, or {failure}: 409 conflict. 402 insufficient_credits for all requests when the credits do not suffice for all.';
revoke execute on function gateway.record_proofs(jsonb) from public;
