create or replace function webhooks.checked_event_types(p_event_types text[]) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  v_unknown text;
begin
  select asked.name into v_unknown from unnest(p_event_types) as asked (name)
  where asked.name is null or asked.name <> '*' and not exists (
    select from webhooks.event_kinds as kind
    where kind.name = asked.name or split_part(kind.name, '.', 1) || '.*' = asked.name) limit 1;
  if found then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', jsonb_build_array(jsonb_build_object('field', 'event_types',
      'message', format('%s is not a kind of event. Use a kind that the documentation lists, a group such as message.*, or * for all kinds',
        coalesce(to_json(left(v_unknown, 100))::text, 'null')))));
  end if;
  return array(select asked.name from unnest(p_event_types) with ordinality as asked (name, place) group by asked.name order by min(asked.place));
end
$$;
comment on function webhooks.checked_event_types(text[]) is
  'Kinds of events in the form that an endpoint keeps: each kind once, in the given order. 422 invalid_request for an unknown kind.';
revoke execute on function webhooks.checked_event_types(text[]) from public;
