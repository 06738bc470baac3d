create or replace function signature.prices() returns table (reason text, kind text, each bigint, action text)
  language sql immutable set search_path = '' as $$
  values ('proof_registered', 'signature', 1::bigint, 'proof.registered')
$$;
comment on function signature.prices() is
  'What the service takes credits for: the reason and kind of the movement, how many for each subject, and the event of that subject. The audit trail knows no other price, of then or now: a price that changes is added to the one it was.';
revoke execute on function signature.prices() from public;
grant execute on function signature.prices() to selo_system;
