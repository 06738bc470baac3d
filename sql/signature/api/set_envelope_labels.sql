create function api.set_envelope_labels(p_id uuid, p_label_ids uuid[]) returns api.envelopes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_held uuid[];
  v_before uuid[];
  v_label record;
  v_answer api.envelopes;
begin
  perform platform.require_scope('envelopes:write');
  perform platform.refuse_wrong_arguments((
    select jsonb_object_agg('label_ids.' || given.place - 1, 'must not be there twice')
    from unnest(p_label_ids) with ordinality as given (id, place) where array_position(p_label_ids, given.id) < given.place));
  perform from signature.envelopes as envelope
  where envelope.tenant_id = c_tenant_id and envelope.environment = c_environment and envelope.id = p_id for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  end if;
  v_held := signature.hold_labels(p_id, p_label_ids);
  perform platform.refuse_wrong_arguments((
    select jsonb_object_agg('label_ids.' || given.place - 1, 'must be the id of a label')
    from unnest(p_label_ids) with ordinality as given (id, place) where (given.id = any (v_held)) is not true));
  v_before := array(select linked.label_id from signature.envelope_labels as linked where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id);
  delete from signature.envelope_labels as linked
  where linked.tenant_id = c_tenant_id and linked.envelope_id = p_id and linked.label_id <> all (p_label_ids);
  insert into signature.envelope_labels (tenant_id, environment, label_id, envelope_id)
  select c_tenant_id, c_environment, given.id, p_id from unnest(p_label_ids) as given (id) where given.id <> all (v_before);
  -- Each label has a chain of its own. Chains are locked in the order of their subjects.
  for v_label in
    select changed.id, changed.action
    from (
      select before.id, 'label.detached' as action from unnest(v_before) as before (id) where before.id <> all (p_label_ids)
      union all
      select given.id, 'label.attached' from unnest(p_label_ids) as given (id) where given.id <> all (v_before)
    ) as changed
    order by changed.id
  loop
    perform platform.record_audit_event(v_label.action, 'label', v_label.id, jsonb_build_object('envelope_id', p_id));
  end loop;
  select answer.* into v_answer from api.envelopes as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.set_envelope_labels(uuid, uuid[]) is
  E'@param id Id of the envelope.\n@param label_ids {..20} Ids of all labels that the envelope then has. An empty list removes all labels.\nGives an envelope these labels and no others, whatever its state. Labels are marks of the organization: participants do not see them, and no evidence has them.';
revoke execute on function api.set_envelope_labels(uuid, uuid[]) from public;
