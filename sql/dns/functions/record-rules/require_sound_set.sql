create or replace function dns.require_sound_set(p_zone dns.zones, p_set jsonb, p_place text) returns dns.record_draft
  language plpgsql stable set search_path = '' as $$
declare
  v_judged record;
begin
  select judged.draft, judged.field, judged.fault into v_judged
  from dns.judge_record(p_zone.name, row(null, p_set ->> 'name', p_set ->> 'type', '', coalesce((p_set ->> 'ttl')::integer, 3600), 0, false, null)::dns.record_draft) as judged;
  -- The record has no content, which the set does not have either.
  if v_judged.field <> 'content' then
    perform platform.fail(422, 'record_invalid', format('%s%s %s.', p_place, v_judged.field, v_judged.fault),
      jsonb_build_array(jsonb_build_object('field', p_place || v_judged.field, 'message', v_judged.fault)));
  end if;
  return v_judged.draft;
end
$$;
comment on function dns.require_sound_set(dns.zones, jsonb, text) is
  'Name and type of a set as they are kept, or 422 record_invalid for a wrong name, type or TTL, which it names below this place of the request.';
revoke execute on function dns.require_sound_set(dns.zones, jsonb, text) from public;
