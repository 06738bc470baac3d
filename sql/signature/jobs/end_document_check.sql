create function jobs.end_document_check(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_status constant text := p_arguments ->> 'status';
  v_attempts integer;
begin
  update signature.documents as document
  set checking_until = null, attempts = document.attempts + case when c_status = 'died' then 1 else 0 end
  where document.tenant_id = platform.tenant_id() and document.environment = platform.environment() and document.id = (p_arguments ->> 'id')::uuid
    and document.checked_at is null
  returning document.attempts into v_attempts;
  if not found then
    return null;
  end if;
  if c_status = 'died' and v_attempts >= 3 then
    perform signature.settle_document((p_arguments ->> 'id')::uuid, 'failed', 'checker_failed');
  elsif c_status in ('ready', 'quarantined', 'failed') then
    perform signature.settle_document((p_arguments ->> 'id')::uuid, c_status, p_arguments ->> 'reason', coalesce(p_arguments -> 'pages', '[]'),
      coalesce((p_arguments ->> 'is_signed')::boolean, false), coalesce((p_arguments ->> 'is_certified')::boolean, false));
  end if;
  return jsonb_build_object('goes_on', c_status in ('died', 'given back') and v_attempts < 3);
end
$$;
comment on function jobs.end_document_check(jsonb) is
  'Ends what begin_document_check took: {id, status, reason, pages, is_signed, is_certified}. status: ready, quarantined or failed; died when the checker ended without a result, which fails the document the third time; given back when the worker stops. {goes_on}: whether the check is to be made again. Null for a document that is gone or checked.';
revoke execute on function jobs.end_document_check(jsonb) from public;
