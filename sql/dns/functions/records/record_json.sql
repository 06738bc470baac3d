-- Inlined, because a zone has many records. json_build_object, which makes the same text, looks up the type of each member for each record. Changes hold
-- the text of json_build_object: dns.audit_check_zone_records compares texts first.
create or replace function dns.record_json(p_record dns.records) returns json
  language sql stable parallel safe
  return ('{"id" : ' || p_record.id || ', "zone_id" : ' || p_record.zone_id || ', "name" : ' || to_json(p_record.name) || ', "type" : ' || to_json(p_record.type)
    || ', "content" : ' || to_json(p_record.content) || ', "ttl" : ' || p_record.ttl || ', "priority" : ' || coalesce(p_record.priority::text, 'null')
    || ', "disabled" : ' || p_record.disabled || ', "comment" : ' || coalesce(to_json(p_record.comment)::text, 'null')
    || ', "created_at" : "' || platform.wire_instant(p_record.created_at) || '"}')::json;
comment on function dns.record_json(dns.records) is 'A record as REST answers it. Reads and writes of thousands of records take it from the table, not from the view.';
revoke execute on function dns.record_json(dns.records) from public;
grant execute on function dns.record_json(dns.records) to selo_system;
