create or replace function accounts.is_announced(p_email text, p_network text, p_tag text, p_proof text) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  c_key constant bytea := accounts.announced_key(p_email, p_network, p_tag, p_proof);
  -- A row holds the lower half of the id of the transaction that wrote it.
  c_half constant bigint := 4294967296;
  v_id bigint;
  v_now bigint;
begin
  select announced.xmin::text::bigint into v_id from platform.request_counts as announced
  where announced.key = c_key and announced.resets_at > clock_timestamp();
  v_now := pg_current_xact_id()::text::bigint;
  v_id := v_now - v_now % c_half + v_id;
  if v_id - v_now > c_half / 2 then
    v_id := v_id - c_half;
  end if;
  -- Of this transaction, or of a part of it, whose id is a later one: it may still be taken back.
  return coalesce(case when v_id < v_now then pg_xact_status(v_id::text::xid8) end = 'committed', false);
end
$$;
comment on function accounts.is_announced(text, text, text, text) is
  'Whether another transaction, which has committed, announced this attempt within the last minute (accounts.announce_attempt).';
revoke execute on function accounts.is_announced(text, text, text, text) from public;
