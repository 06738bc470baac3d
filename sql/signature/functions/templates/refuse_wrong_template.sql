create or replace function signature.refuse_wrong_template(p_template signature.templates) returns void
  language plpgsql immutable set search_path = '' as $$
declare
  v_wrong jsonb;
begin
  perform signature.refuse_wrong_language(p_template.language);
  perform signature.refuse_wrong_texts(jsonb_build_object('name', p_template.name, 'title', p_template.title), jsonb_build_object('message', p_template.message));
  select jsonb_object_agg(format('participants.%s.auth_method', given.place - 1), 'must not be none') into v_wrong
  from jsonb_array_elements(p_template.participants) with ordinality as given (participant, place) where given.participant ->> 'auth_method' = 'none';
  if v_wrong is not null then
    perform platform.fail(422, 'auth_method_not_allowed', 'A participant must be authenticated: auth_method none is refused.', (
      select jsonb_agg(jsonb_build_object('field', wrong.key, 'message', wrong.value)) from jsonb_each(v_wrong) as wrong));
  end if;
  select jsonb_object_agg(format('participants.%s.%s', given.place - 1, judged.member), judged.message) into v_wrong
  from rows from (jsonb_to_recordset(p_template.participants) as (role text, order_index integer, name text, email text)) with ordinality
    as given (role, order_index, name, email, place)
  cross join lateral (values
    ('name', coalesce(signature.wrong_text(given.name, true), case when given.name is null and given.email is not null then 'is required together with email' end)),
    ('email', case when not platform.is_email(given.email) or signature.wrong_text(given.email, true) is not null then 'must be an e-mail address' end),
    ('order_index', case
      when given.order_index > 999 then 'must be between 1 and 999: without it, the participant comes after the highest place'
      when p_template.signing_order = 'sequential' and given.role <> 'observador' and exists (
        select from jsonb_to_recordset(p_template.participants) as other (role text, order_index integer)
        where other.role <> 'observador' and other.order_index = given.order_index offset 1)
        then 'must differ from the order_index of every other participant of a sequential template' end)
  ) as judged (member, message)
  where judged.message is not null;
  perform platform.refuse_wrong_arguments(coalesce(v_wrong, '{}'));
end
$$;
comment on function signature.refuse_wrong_template(signature.templates) is
  'The one judge of templates: 422 invalid_request for wrong texts, for an e-mail address without a name, and for a place that two participants of a sequential template share (an observador never blocks, so its place need not be its own). 422 auth_method_not_allowed for a participant who is not authenticated.';
revoke execute on function signature.refuse_wrong_template(signature.templates) from public;
