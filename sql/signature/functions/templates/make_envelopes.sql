create or replace function signature.make_envelopes(p_template signature.templates, p_rows jsonb, p_document_ids uuid[], p_send boolean, out rows signature.template_row[], out spent jsonb)
  language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  c_judged constant signature.template_row[] := array(select row(judged.*)::signature.template_row from signature.judge_rows(p_template, p_rows, p_send) as judged);
  v_made signature.template_row[];
  v_ids uuid[];
  v_events platform.audit_draft[];
begin
  for v_try in 1..4 loop
    if v_try = 4 then
      perform platform.fail(503, 'unavailable', 'Others spend the credits of the organization at the same time; nothing was made. Try again.');
    end if;
    rows := case when p_send and c_environment = 'live' then signature.pay_rows(p_template, c_judged) else c_judged end;
    spent := '{}';
    v_made := array(select row(made.*)::signature.template_row from unnest(rows) as made where made.code is null order by made.place);
    v_ids := array(select made.envelope_id from unnest(v_made) as made order by made.place);
    exit when v_ids = '{}';
    begin
      insert into signature.envelopes (tenant_id, id, environment, title, message, signing_order, allow_delegation, language, jurisdiction, field_placement,
        expires_in_days, template_id)
      select c_tenant_id, made.envelope_id, c_environment, made.title, p_template.message, p_template.signing_order, false, p_template.language,
        organization.jurisdiction, 'report', coalesce(p_template.expires_in_days, 30), p_template.id
      from unnest(v_made) as made cross join platform.organizations as organization where organization.id = c_tenant_id;
      insert into signature.envelope_documents (tenant_id, environment, envelope_id, document_id, position)
      select c_tenant_id, c_environment, made.envelope_id, document.id, document.place
      from unnest(v_made) as made cross join unnest(p_document_ids) with ordinality as document (id, place);
      insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, order_index, auth_method, modality,
        cpf_mask, enciphered_cpf, ssn_last4_mask, enciphered_ssn_last4, phone_mask, enciphered_phone, cpf_digest, ssn_last4_digest)
      select c_tenant_id, seated.id, c_environment, made.envelope_id, seated.name, seated.email, seated.role, seated.order_index, seated.auth_method, seated.modality,
        seated.cpf_mask, decode(seated.enciphered_cpf, 'base64'), seated.ssn_last4_mask, decode(seated.enciphered_ssn_last4, 'base64'),
        seated.phone_mask, decode(seated.enciphered_phone, 'base64'), sha256(decode(seated.cpf_digest, 'hex')), sha256(decode(seated.ssn_last4_digest, 'hex'))
      from unnest(v_made) as made
      cross join lateral jsonb_to_recordset(made.participants) as seated (id uuid, name text, email text, role text, order_index integer, auth_method text, modality text,
        cpf_mask text, enciphered_cpf text, ssn_last4_mask text, enciphered_ssn_last4 text, phone_mask text, enciphered_phone text,
        cpf_digest text, ssn_last4_digest text);
      -- One event for an envelope with all its parts.
      select array_agg(row('envelope.created', 'envelope', made.envelope_id, jsonb_build_object('signing_order', p_template.signing_order, 'field_placement', 'report',
          'status', 'draft', 'template_id', p_template.id, 'documents', to_jsonb(p_document_ids), 'participants', part.facts) || signature.envelope_state(made.envelope_id),
        part.personal || jsonb_build_object('title', made.title))::platform.audit_draft order by made.place) into v_events
      from unnest(v_made) as made
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('participant_id', seated.id, 'role', seated.role, 'order_index', seated.order_index,
            'auth_method', seated.auth_method, 'modality', seated.modality) order by seated.seat), '[]') as facts,
          coalesce(jsonb_object_agg('name.' || seated.id, seated.name) || jsonb_object_agg('email.' || seated.id, seated.email), '{}') as personal
        from jsonb_to_recordset(made.participants) as seated (seat integer, id uuid, name text, email text, role text, order_index integer, auth_method text, modality text)
      ) as part;
      perform platform.record_audit_events(v_events);
      if p_send then
        spent := signature.send_drafts(v_ids);
      end if;
      exit;
    exception when sqlstate 'PT402' then
      -- Others spent meanwhile: nothing of this try is left, and the rows are judged by the balances as they are now.
      null;
    end;
  end loop;
end
$$;
comment on function signature.make_envelopes(signature.templates, jsonb, uuid[], boolean) is
  'Makes an envelope for each row that signature.judge_rows finds right, with these documents, and sends it with p_send as far as the credits reach. Answers all rows, those that made nothing with their code, and the credits of each kind that were taken. The caller has locked the documents. The number of statements does not depend on the number of rows. 503 unavailable when others spent the credits at three tries.';
revoke execute on function signature.make_envelopes(signature.templates, jsonb, uuid[], boolean) from public;
