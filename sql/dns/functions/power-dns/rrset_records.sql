create or replace function dns.rrset_records(p_zone dns.zones, p_named dns.record_draft, p_state jsonb, p_set jsonb, p_ttl integer) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  v_record record;
  v_split record;
  v_judged record;
  v_kept jsonb;
  -- A record that stays keeps its content as it was written first, because a TXT has several forms.
  c_kept constant jsonb := (
    select jsonb_object_agg(concat_ws(' ', was.value ->> 'priority', dns.content_key(p_named.type, was.value ->> 'content')), was.value)
    from jsonb_array_elements(p_state -> 'records') as was (value));
  v_records jsonb[] := '{}';
begin
  for v_record in select given.value from jsonb_array_elements(p_set -> 'records') as given (value) loop
    v_split := dns.rrset_draft(p_named.type, v_record.value ->> 'content');
    if v_split.priority is null and p_named.type in ('MX', 'SRV') then
      perform dns.refuse_rrset(p_set, format('priority is required for %s: content must begin with it, such as "%s"', p_named.type,
        case p_named.type when 'MX' then '10 mail.example.com.' else '10 5 443 host.example.com.' end));
    end if;
    v_judged := dns.judge_record(p_zone.name, row(null, p_named.name || '.', p_named.type, v_split.content, coalesce(p_ttl, 3600), v_split.priority,
      (v_record.value ->> 'disabled')::boolean, null)::dns.record_draft);
    if v_judged.fault is not null then
      perform dns.refuse_rrset(p_set, v_judged.field || ' ' || v_judged.fault);
    end if;
    v_kept := c_kept -> concat_ws(' ', (v_judged.draft).priority, dns.content_key(p_named.type, (v_judged.draft).content));
    v_records := v_records || (
      jsonb_build_object('content', coalesce(v_kept ->> 'content', (v_judged.draft).content), 'priority', (v_judged.draft).priority,
        'disabled', (v_judged.draft).disabled)
      || case when v_kept is not null then jsonb_build_object('comment', v_kept -> 'comment') else '{}' end);
  end loop;
  return to_jsonb(v_records);
end
$$;
comment on function dns.rrset_records(dns.zones, dns.record_draft, jsonb, jsonb, integer) is
  'Records of a set of the API of PowerDNS as they are kept, [{content, priority, disabled}], with the comment of those that the set has already. 422 record_invalid.';
revoke execute on function dns.rrset_records(dns.zones, dns.record_draft, jsonb, jsonb, integer) from public;
