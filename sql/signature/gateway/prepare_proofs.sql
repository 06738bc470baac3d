create function gateway.prepare_proofs(p_proofs jsonb) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_organization record;
  v_key_id text;
  v_pq_key_id text;
  v_has_credits boolean;
  v_price platform.prices;
  v_public_url text;
begin
  perform platform.require_scope('proofs:write');
  if jsonb_array_length(p_proofs) > 50 then
    perform platform.fail(422, 'invalid_request', 'A batch has at most 50 proofs.', '[{"field": "proofs", "message": "must be at most 50"}]');
  end if;
  perform platform.require_clock();
  select organization.name, organization.language into v_organization
  from platform.organizations as organization where organization.id = c_tenant_id;
  select max(key.key_id) filter (where key.algorithm = 'Ed25519'), max(key.key_id) filter (where key.algorithm = 'ML-DSA-87')
    into v_key_id, v_pq_key_id
  from platform.platform_keys as key where key.environment = c_environment and key.status = 'active';
  select * into strict v_price from platform.prices as price where price.reason = 'proof_registered';
  v_has_credits := platform.has_credits(v_price.kind, v_price.amount);
  v_public_url := platform.setting('public_url');

  return (
    select json_agg(case
        when wrong.fields is not null then json_build_object('failure',
          platform.failure(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', wrong.fields))
        when kept.request_hash <> decode(item.request_hash, 'hex') then json_build_object('failure',
          platform.failure(409, 'conflict', 'This Idempotency-Key was used with another request.'))
        when kept.status is not null then json_build_object('status', kept.status, 'replayed', true,
          'body', signature.proof_body(kept.subject_id, kept.status = 201))
        when known.id is not null then json_build_object('status', 200, 'replayed', false,
          'body', signature.proof_body(known.id, false))
        when not v_has_credits then json_build_object('failure',
          platform.failure(402, 'insufficient_credits', 'The signature credit balance is insufficient; nothing was recorded.'))
        -- The answer of record_proofs, without the two signatures.
        else json_build_object('status', 202, 'replayed', false, 'body', case when set_config('app.created_proof_id', draft.id::text, true) <> '' then gateway.proofs_json((
          draft.id, item.sha256, item.label, item.file_name, item.file_size, v_organization.language,
          draft.registered_at, draft.code, v_public_url || '/verify/' || draft.code,
          json_build_object(
            'kind', 'existence_proof', 'schema_version', 1, 'proof_id', draft.id, 'tenant_id', c_tenant_id,
            'organization', v_organization.name, 'hash_algorithm', 'SHA-256', 'sha256', item.sha256,
            'label', item.label, 'file_name', item.file_name, 'file_size', item.file_size,
            'registered_at', platform.instant(draft.registered_at), 'verification_code', draft.code,
            'time_source', 'platform_server_clock_utc', 'key_id', v_key_id, 'pq_key_id', v_pq_key_id, 'hybrid_policy', 'AND'),
          null, v_key_id, null, v_pq_key_id, array['Ed25519', 'ML-DSA-87'])::api.proofs) end)
      end order by item.place)
    from rows from (jsonb_to_recordset(p_proofs) as (
      sha256 text, label text, file_name text, file_size bigint, idempotency_key text, request_hash text
    )) with ordinality as item (sha256, label, file_name, file_size, idempotency_key, request_hash, place)
    cross join lateral (
      select signature.wrong_proof_input(item.sha256, item.label, item.file_name, item.file_size) as fields offset 0
    ) as wrong
    -- Each item has one look-up by index (limit 1): a join would be planned while the tables are small, as a hash of all rows.
    left join lateral (
      select found.request_hash, found.status, found.subject_id from platform.idempotency_keys as found
      where found.tenant_id = c_tenant_id and found.environment = c_environment and found.key = item.idempotency_key limit 1
    ) as kept on true
    left join lateral (
      select found.id from signature.proofs as found
      where found.tenant_id = c_tenant_id and found.environment = c_environment
        and found.sha256 = case when wrong.fields is null then decode(item.sha256, 'hex') end limit 1
    ) as known on true
    -- The condition names the item, so that each item gets its own values. offset 0 keeps the values from being computed at each use.
    cross join lateral (
      select platform.uuidv7() as id, clock_timestamp() as registered_at, platform.new_public_code() as code
      where item.place is not null offset 0
    ) as draft
  );
end
$$;
comment on function gateway.prepare_proofs(jsonb) is
  E'@items signature.wrong_proof_input\nFirst half of POST /proofs, for requests of one token that arrive together. Writes nothing. Takes [{sha256, label, file_name, file_size, idempotency_key, request_hash (hex)}]. Answers an outcome for each request: {status: 202, body} for a body to be signed, {status: 200 or 201, replayed, body} for a request that is already answered, or {failure}: 402 insufficient_credits, 409 conflict, 422 invalid_request. 503 clock_behind for all requests while the clock is wrong.';
revoke execute on function gateway.prepare_proofs(jsonb) from public;
