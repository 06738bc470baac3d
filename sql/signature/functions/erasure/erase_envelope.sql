create or replace function signature.erase_envelope(p_tenant_id uuid, p_id uuid, p_participant_id uuid default null) returns json
  language plpgsql volatile set search_path = '' as $$
declare
  c_is_whole constant boolean := p_participant_id is null;
  v_environment text;
  v_envelope signature.envelopes;
  v_participant_ids uuid[];
  v_document_ids uuid[];
  v_document signature.documents;
  v_at timestamptz;
  v_now timestamptz;
  v_is_first boolean;
  v_objects uuid[];
  v_report uuid;
  v_mails integer;
  v_events bigint;
begin
  for v_environment in select known.name from platform.environments as known loop
    perform platform.enter_context(p_tenant_id, v_environment, null, null, null);
    exit when exists (
      select from signature.envelopes as envelope
      where envelope.tenant_id = p_tenant_id and envelope.environment = platform.environment() and envelope.id = p_id);
  end loop;
  -- Documents are locked before the envelope: another envelope that gets one meanwhile is seen, or finds it erased.
  if c_is_whole then
    perform from signature.documents as document
    where document.tenant_id = p_tenant_id and document.id in (
      select linked.document_id from signature.envelope_documents as linked where linked.tenant_id = p_tenant_id and linked.envelope_id = p_id)
    order by document.id for update;
  end if;
  select envelope.* into v_envelope from signature.envelopes as envelope
  where envelope.tenant_id = p_tenant_id and envelope.environment = platform.environment() and envelope.id = p_id for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  elsif v_envelope.status in ('draft', 'ready') then
    perform platform.fail(409, 'conflict', 'The envelope is a draft and has not been sent: remove it instead.');
  elsif v_envelope.sealing_since is not null then
    perform platform.fail(409, 'conflict', 'The envelope is being completed: erase it once it has ended.');
  elsif v_envelope.status not in ('completed', 'declined', 'cancelled', 'expired', 'failed') then
    perform platform.fail(409, 'conflict', format('The envelope is %s: erase it once it has ended, or cancel it first.', v_envelope.status));
  end if;
  v_at := v_envelope.erased_at;
  if not c_is_whole then
    v_at := (signature.require_participant(p_id, p_participant_id)).erased_at;
  end if;
  -- A document that another envelope used stayed. Once that one is gone, a repetition erases it.
  v_document_ids := case when c_is_whole then array(
    select linked.document_id from signature.envelope_documents as linked
    join signature.documents as document on document.tenant_id = linked.tenant_id and document.id = linked.document_id
    where linked.tenant_id = p_tenant_id and linked.envelope_id = p_id and document.erased_at is null
      and not exists (
        select from signature.envelope_documents as used
        join signature.envelopes as other on other.tenant_id = used.tenant_id and other.id = used.envelope_id
        where used.tenant_id = linked.tenant_id and used.document_id = linked.document_id and other.id <> p_id and other.erased_at is null)
    order by linked.document_id) else '{}' end;
  v_is_first := v_at is null;
  if v_is_first or v_document_ids <> '{}' then
    v_now := clock_timestamp();
    v_at := coalesce(v_at, v_now);
    v_participant_ids := array(
      select participant.id from signature.participants as participant
      where participant.tenant_id = p_tenant_id and participant.envelope_id = p_id and participant.erased_at is null and (c_is_whole or participant.id = p_participant_id)
      order by participant.id);
    v_objects := signature.erase_participants(v_envelope, v_participant_ids, v_now);
    if c_is_whole then
      v_objects := v_objects || signature.erase_contents(v_envelope, v_document_ids, v_now);
    end if;
    delete from signature.envelope_reports as report where report.tenant_id = p_tenant_id and report.envelope_id = p_id
    returning report.object_id into v_report;
    v_objects := array_remove(v_objects || v_report, null);
    perform signature.remove_object(named.object_id) from unnest(v_objects) as named (object_id);
    -- Mails to the contact of the organization tell of all participants. Only the index of kept mails leads to mails of an envelope.
    select platform.erase_mails(array_agg(mail.tenant_id), array_agg(mail.id), 'erased') into v_mails
    from platform.mails as mail
    where mail.erased_at is null and mail.created_at >= v_envelope.created_at and mail.tenant_id = p_tenant_id and mail.envelope_id = p_id
      and (c_is_whole or mail.participant_id is null or mail.participant_id = p_participant_id);
    if v_is_first then
      -- With the salt of before, the digests in old events would tell whoever reads the database that a guess is right.
      update signature.envelopes as envelope set record_salt = extensions.gen_random_bytes(16)
      where envelope.tenant_id = p_tenant_id and envelope.id = p_id;
      perform signature.restate_links(p_tenant_id, p_id, v_participant_ids);
    end if;
    v_events := platform.erase_events(null, signature.events_to_erase(v_envelope, p_participant_id, v_document_ids));
    for v_document in
      select document.* from signature.documents as document where document.tenant_id = p_tenant_id and document.id = any (v_document_ids) order by document.id
    loop
      perform platform.record_audit_event('document.erased', 'document', v_document.id, signature.document_state(v_document));
    end loop;
    if v_is_first then
      perform platform.record_audit_event(case when c_is_whole then 'envelope.erased' else 'envelope.participant_erased' end, 'envelope', p_id,
        jsonb_strip_nulls(jsonb_build_object('participant_id', p_participant_id)) || signature.envelope_state(p_id));
    end if;
  end if;
  perform platform.enter_context(null, null, null, null, null);
  return json_build_object('envelope_id', p_id, 'participant_id', p_participant_id, 'environment', v_envelope.environment, 'erased_at', platform.wire_instant(v_at),
    'is_new', v_events is not null, 'participants', coalesce(cardinality(v_participant_ids), 0), 'documents', coalesce(cardinality(v_document_ids), 0),
    'objects', coalesce(cardinality(v_objects), 0), 'mails', coalesce(v_mails, 0), 'events', coalesce(v_events, 0));
end
$$;
comment on function signature.erase_envelope(uuid, uuid, uuid) is
  'Erases the personal data of one participant of an envelope that has ended, or without one those of the whole envelope with its documents. Signed records, digests and the chain of events stay. Repeated, it erases only documents that another envelope used before. Objects are removed from the storage once the transaction has committed. Answers {envelope_id, participant_id, environment, erased_at, is_new, participants, documents, objects, mails, events}: what was erased now. 404 not_found; 409 conflict before the end.';
revoke execute on function signature.erase_envelope(uuid, uuid, uuid) from public;
