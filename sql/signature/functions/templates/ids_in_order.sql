create or replace function signature.ids_in_order(p_given uuid[]) returns uuid[]
  language sql volatile set search_path = '' as $$
  with known as (
    select given.id, given.place, replace(given.id::text, '-', '') as digits from unnest(p_given) with ordinality as given (id, place) where given.id is not null
  )
  select array_agg(coalesce(given.id, near.id, platform.uuidv7()) order by given.place)
  from unnest(p_given) with ordinality as given (id, place)
  left join lateral (
    -- The nearest id that is given, counted on: its last 62 bits are random.
    select (left(known.digits, 16) || to_hex(('x' || right(known.digits, 16))::bit(64)::bigint + given.place - known.place))::uuid as id
    from known where given.id is null order by abs(given.place - known.place), known.place limit 1) as near on true
$$;
comment on function signature.ids_in_order(uuid[]) is
  'The ids of new participants, some of which the gateway has made to encrypt numbers under them: the others are made so that all stand in the order of their places, in which lists show participants.';
revoke execute on function signature.ids_in_order(uuid[]) from public;
