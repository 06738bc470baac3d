create or replace function dns.require_sound_record(p_zone dns.zones, p_draft dns.record_draft, p_place text default '') returns dns.record_draft
  language plpgsql stable set search_path = '' as $$
declare
  v_judged record;
begin
  select judged.draft, judged.field, judged.fault into v_judged from dns.judge_record(p_zone.name, p_draft) as judged;
  if v_judged.fault is not null then
    perform platform.fail(422, 'record_invalid', format('%s%s %s.', p_place, v_judged.field, v_judged.fault),
      jsonb_build_array(jsonb_build_object('field', p_place || v_judged.field, 'message', v_judged.fault)));
  end if;
  return v_judged.draft;
end
$$;
comment on function dns.require_sound_record(dns.zones, dns.record_draft, text) is
  'A record as it is kept, or 422 record_invalid, which names the wrong member below this place of the request.';
revoke execute on function dns.require_sound_record(dns.zones, dns.record_draft, text) from public;
