create or replace function signature.refuse_unsendable(p_envelope signature.envelopes) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_fields jsonb;
  v_is_unavailable boolean;
begin
  select jsonb_agg(jsonb_build_object('field', lack.field, 'message', lack.message) order by lack.field),
      bool_and(lack.code = 'auth_method_unavailable')
    into v_fields, v_is_unavailable
  from signature.envelope_lacks(p_envelope) as lack;
  if v_is_unavailable then
    perform platform.fail(422, 'auth_method_unavailable', 'Participants have an auth_method or a modality that is not available; fields names each.', v_fields);
  elsif v_fields is not null then
    perform platform.fail(422, 'envelope_not_sendable', 'Something that sending needs is missing; fields names each lack.', v_fields);
  end if;
end
$$;
comment on function signature.refuse_unsendable(signature.envelopes) is
  'Refuses to send an envelope that lacks something: 422 auth_method_unavailable when only what is not available is in the way, otherwise 422 envelope_not_sendable. fields names each lack.';
revoke execute on function signature.refuse_unsendable(signature.envelopes) from public;
