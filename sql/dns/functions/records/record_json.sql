create or replace function dns.record_json(p_record dns.records) returns json
  language plpgsql stable set search_path = '' as $$
begin
  return json_build_object('id', p_record.id, 'zone_id', p_record.zone_id, 'name', p_record.name, 'type', p_record.type, 'content', p_record.content,
    'ttl', p_record.ttl, 'priority', p_record.priority, 'disabled', p_record.disabled, 'comment', p_record.comment,
    'created_at', platform.wire_instant(p_record.created_at));
end
$$;
comment on function dns.record_json(dns.records) is 'A record as REST answers it. Reads and writes of thousands of records take it from the table, not from the view.';
revoke execute on function dns.record_json(dns.records) from public;
grant execute on function dns.record_json(dns.records) to selo_system;
