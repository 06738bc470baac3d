create or replace function signature.known_of_digest(p_tenant_id uuid, p_environment text, p_sha256 text)
  returns table (known_as text, id uuid, envelope_id uuid, at timestamptz, seal json)
  language plpgsql stable set search_path = ''
  -- Rows are found by indexes of columns without statistics.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_sha256 constant bytea := decode(p_sha256, 'hex');
begin
  return query
  with known as materialized (
    select 1 as rank, 'proof' as known_as, proof.id, null::uuid as envelope_id, proof.registered_at as at, proof.id as place, null::uuid as participant_id
    from signature.proofs as proof
    where proof.tenant_id = p_tenant_id and proof.environment = p_environment and proof.sha256 = c_sha256
    union all (
      select 2, 'final', linked.document_id, linked.envelope_id, envelope.completed_at, linked.id, null
      from signature.envelope_documents as linked
      join signature.envelopes as envelope on envelope.tenant_id = linked.tenant_id and envelope.id = linked.envelope_id
      where linked.final_sha256 = c_sha256 and linked.tenant_id = p_tenant_id and linked.environment = p_environment
      order by envelope.completed_at, linked.id limit signature.most_known())
    union all (
      select 3, 'attachment', attachment.field_id, attachment.envelope_id, attachment.created_at, attachment.field_id, attachment.participant_id
      from signature.attachments as attachment
      join signature.participants as participant on participant.tenant_id = attachment.tenant_id and participant.id = attachment.participant_id
      where attachment.tenant_id = p_tenant_id and attachment.environment = p_environment and attachment.sha256 = c_sha256
        -- As for gateway.find_attachment, a file is there once its participant has finished.
        and participant.status = 'completed'
      order by attachment.created_at, attachment.field_id limit signature.most_known())
    union all (
      select 4, 'original', document.id, linked.envelope_id, document.created_at, coalesce(linked.id, document.id), null
      from (
        select every.id, every.created_at from signature.documents as every
        where every.tenant_id = p_tenant_id and every.environment = p_environment and every.sha256 = c_sha256
        order by every.id limit signature.most_known()) as document
      left join lateral (
        select every.id, every.envelope_id from signature.envelope_documents as every
        where every.tenant_id = p_tenant_id and every.document_id = document.id
        order by every.id limit signature.most_known()) as linked on true
      order by document.created_at, document.id, linked.id limit signature.most_known())
  ), shown as materialized (
    select known.*, row_number() over (order by known.rank, known.at, known.place) as number from known
    order by known.rank, known.at, known.place limit signature.most_known()
  )
  select shown.known_as, shown.id, shown.envelope_id, shown.at, signature.seal_of_known(shown.known_as, shown.id, shown.envelope_id, shown.participant_id, p_sha256)
  from shown order by shown.number;
end
$$;
comment on function signature.known_of_digest(uuid, text, text) is
  'What an organization knows of a digest in an environment: at most signature.most_known() entries; its proof, final documents, files of participants and uploaded documents, in this order, the earliest first. An uploaded document has an entry for each of its envelopes. With each entry comes what asserts it (signature.seal_of_known).';
revoke execute on function signature.known_of_digest(uuid, text, text) from public;
