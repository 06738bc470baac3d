create or replace function dns.judge_record(p_zone_name text, p_draft dns.record_draft, out draft dns.record_draft, out field text, out fault text)
  language plpgsql stable set search_path = '' as $$
declare
  v_judged record;
begin
  draft := p_draft;
  draft.type := upper(p_draft.type collate "C");
  draft.disabled := coalesce(p_draft.disabled, false);
  draft.comment := nullif(p_draft.comment, '');
  -- Separate statements, because only the first fault is reported. Assignments, because a zone file may have thousands of records: queries take longer.
  v_judged := dns.judge_name(p_zone_name, coalesce(p_draft.name, ''));
  draft.name := v_judged.name;
  fault := v_judged.fault;
  field := 'name';
  if fault is not null then
    return;
  end if;
  field := 'type';
  if not exists (select from dns.record_types as known where known.name = draft.type) then
    fault := 'must be one of ' || (select string_agg(known.name, ', ' order by known.name) from dns.record_types as known);
    return;
  elsif draft.type = 'NS' and draft.name = p_zone_name then
    fault := 'must not be NS at the apex: the service serves its nameservers there';
    return;
  elsif draft.type = 'NS' and draft.name like '*.%' then
    fault := 'must not be NS at a wildcard (RFC 4592)';
    return;
  end if;
  field := 'ttl';
  if draft.ttl is null or draft.ttl not between 60 and 86400 then
    fault := 'must be 60 to 86400 seconds';
    return;
  end if;
  field := 'priority';
  if draft.type not in ('MX', 'SRV') then
    draft.priority := null;
  elsif draft.priority is null then
    fault := format('is required for %s', draft.type);
    return;
  elsif draft.priority not between 0 and 65535 then
    fault := 'must be 0 to 65535';
    return;
  end if;
  field := 'content';
  if coalesce(p_draft.content, '') = '' then
    fault := 'must not be empty';
    return;
  end if;
  v_judged := dns.judge_content(draft.type, p_draft.content, draft.priority);
  draft.content := v_judged.content;
  fault := v_judged.fault;
  if fault is null and (char_length(draft.comment) > 500 or draft.comment ~ U&'[\0001-\001f\007f-\009f]') then
    field := 'comment';
    fault := 'must have at most 500 characters, and no control characters';
  end if;
  if fault is null then
    field := null;
  end if;
end
$$;
comment on function dns.judge_record(text, dns.record_draft) is
  'A record as it is kept, or the member that is wrong and why: dns-hosting §4, rules 1 to 4. dns.require_sound_names judges records together.';
revoke execute on function dns.judge_record(text, dns.record_draft) from public;
