create or replace function signature.made_of_record(p_evidence text, p_salts jsonb default '{}') returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  c_now constant timestamptz := clock_timestamp();
  c_evidence constant jsonb := p_evidence::jsonb;
  c_at constant timestamptz := c_evidence ->> 'signed_at';
begin
  if (c_at between c_now - interval '2 minutes' and c_now + interval '1 second'
      -- The text of the instant must have the canonical form: another reader must not read another time.
      and c_evidence ->> 'signed_at' = platform.instant(c_at)
      and jsonb_typeof(p_salts) = 'object' and not exists (select from jsonb_each_text(p_salts) as salt where salt.value !~ '^[0-9a-f]{32}$')
      and exists (select from platform.sealing_keys() as key
        where key.environment = platform.environment() and key.algorithm = 'Ed25519' and key.key_id = c_evidence ->> 'key_id')
      and exists (select from platform.sealing_keys() as key
        where key.environment = platform.environment() and key.algorithm = 'ML-DSA-87' and key.key_id = c_evidence ->> 'pq_key_id')
    ) is not true then
    raise exception 'the evidence differs from what was prepared in the last two minutes' using errcode = 'check_violation';
  end if;
  return jsonb_build_object('record_id', (c_evidence ->> 'record_id')::uuid, 'at', c_evidence ->> 'signed_at',
    'key_id', c_evidence ->> 'key_id', 'pq_key_id', c_evidence ->> 'pq_key_id', 'salts', p_salts);
end
$$;
comment on function signature.made_of_record(text, jsonb) is
  'What is random or a time in evidence that was signed, {record_id, at, key_id, pq_key_id, salts}, to make the evidence anew and compare. Refuses an instant in the future or more than two minutes ago, a key that no longer seals, and a salt of another form: a thief of the login of the gateway or of the worker can neither backdate a record nor use a retired key.';
revoke execute on function signature.made_of_record(text, jsonb) from public;
