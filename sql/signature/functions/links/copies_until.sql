create or replace function signature.copies_until(p_envelope signature.envelopes) returns timestamptz
  language sql stable set search_path = '' as $$
  select p_envelope.completed_at + interval '90 days'
$$;
comment on function signature.copies_until(signature.envelopes) is
  'Until when the links of a completed envelope lead to the sealed documents: 90 days after the completion. Null before it.';
revoke execute on function signature.copies_until(signature.envelopes) from public;
