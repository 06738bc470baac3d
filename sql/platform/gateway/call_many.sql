create function gateway.call_many(p_calls jsonb)
  returns table (place integer, status integer, body text, replayed boolean, failure json)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_call record;
  v_sqlstate text;
  v_message text;
  v_detail text;
begin
  if jsonb_array_length(p_calls) > 50 then
    perform platform.fail(422, 'invalid_request', 'A batch has at most 50 calls.', '[{"field": "calls", "message": "must be at most 50"}]');
  end if;
  -- All batches take credentials in the same order, so two batches cannot deadlock.
  for v_call in
    select (item.place - 1)::integer as place, decode(item.call ->> 'credential_hash', 'hex') as credential_hash,
      item.call ->> 'command' as command, item.call -> 'arguments' as arguments, (item.call ->> 'status')::integer as status,
      item.call ->> 'idempotency_key' as idempotency_key, decode(item.call ->> 'request_hash', 'hex') as request_hash,
      item.call -> 'origin' as origin
    from jsonb_array_elements(p_calls) with ordinality as item (call, place)
    order by item.call ->> 'credential_hash', item.call ->> 'command', item.place
  loop
    begin
      select v_call.place, answer.status, answer.body, answer.replayed, null
        into call_many.place, call_many.status, call_many.body, call_many.replayed, call_many.failure
      from gateway.call(v_call.credential_hash, v_call.command, v_call.arguments, v_call.status,
        v_call.idempotency_key, v_call.request_hash, v_call.origin) as answer;
    exception when others then
      -- A transient error (a deadlock, a function just replaced) ends the whole batch, and the caller runs the batch again.
      if sqlstate in ('40P01', '40001', '42883', '42P01', '0A000', 'XX000', '3F000') then
        raise;
      end if;
      get stacked diagnostics v_sqlstate = returned_sqlstate, v_message = message_text, v_detail = pg_exception_detail;
      select v_call.place, null, null, false, json_build_object('code', v_sqlstate, 'message', v_message, 'detail', v_detail)
        into call_many.place, call_many.status, call_many.body, call_many.replayed, call_many.failure;
    end;
    return next;
  end loop;
end
$$;
comment on function gateway.call_many(jsonb) is
  'Many calls in one transaction, each in its own subtransaction and context: [{credential_hash (hex), command, arguments, status, idempotency_key, request_hash (hex), origin}]. A batch has at most 50 calls, so that the subtransactions stay in shared memory.';
revoke execute on function gateway.call_many(jsonb) from public;
grant execute on function gateway.call_many(jsonb) to selo_app;
