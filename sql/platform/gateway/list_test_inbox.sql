create function gateway.list_test_inbox(
  p_recipient text default null, p_envelope_id uuid default null, p_kind text default null,
  p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null, p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = ''
  -- See gateway.list_audit_events.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_offset constant bigint := p_offset;
  v_after uuid;
  v_count bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('envelopes:read');
  perform platform.require_test_environment('The test inbox');
  v_after := (platform.read_cursor('list_test_inbox', '{uuid}', p_cursor, p_offset))[1];
  select count(*), array_agg(found.id order by found.place) filter (where found.place > c_offset and found.place <= c_offset + p_limit) into v_count, v_ids
  from (
    select mail.id, row_number() over (order by mail.id desc) as place from platform.mails as mail
    where mail.tenant_id = c_tenant_id and mail.composed_at is not null
      and (v_after is null or mail.id < v_after)
      and (p_recipient is null or mail.recipient = p_recipient)
      and (p_envelope_id is null or mail.envelope_id = p_envelope_id)
      and (p_kind is null or mail.kind = p_kind)
      and (p_from is null or mail.created_at >= p_from)
      and (p_to is null or mail.created_at < p_to)
    order by mail.id desc limit case when v_after is null then greatest(platform.most_counted(), c_offset + p_limit) else p_limit end + 1
  ) as found;
  return platform.page(
    case when p_fields is not null then gateway.test_mails_chosen(v_ids, p_fields) else (
      select coalesce(json_agg(gateway.test_mails_json(item) order by item.id desc), '[]') from api.test_mails as item where item.id = any (v_ids)) end,
    case when v_after is null then v_count end, p_limit, p_offset,
    case when v_count > c_offset + p_limit then platform.cursor_after('list_test_inbox', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_test_inbox(text, uuid, text, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param recipient {..254} Only mails to this address, or SMS to this masked number.\n@param envelope_id Only mails about this envelope.\n@param kind {platform.mail_kinds} Only mails of this kind.\n@param from Only mails written at or after this instant.\n@param to Only mails written before this instant.\n@param fields {members of api.test_mails} Only these members of each item.\nGET /test-inbox: a page of composed test mails, newest first. 403 forbidden for live tokens.';
revoke execute on function gateway.list_test_inbox(text, uuid, text, timestamptz, timestamptz, text[], text, integer, integer) from public;
