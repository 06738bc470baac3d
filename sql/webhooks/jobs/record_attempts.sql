--! owner selo_system
-- Looks across tenants: one dispatcher delivers for all tenants.
create function jobs.record_attempts(p_results jsonb) returns uuid[]
  language plpgsql volatile security definer
  -- See jobs.claim_deliveries.
  set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_taken uuid[];
  v_outcomes jsonb;
  v_endpoint record;
begin
  with judged as materialized (
    -- A delivery that was leased again has another attempt. The result of the earlier attempt is stale and ignored.
    select delivery.*, result.url, to_timestamp(result.requested_at_ms / 1000) as requested_at, result.duration_ms, result.response_status,
      result.response_body, result.truncated, result.error_code, result.error_detail, verdict.automatic_made, verdict.status,
      -- A kind that was taken off the endpoint is not retried. A request that takes the kind off at this very moment may be too late for one retry.
      case when verdict.status = 'FAILED' and delivery.trigger <> 'test' and result.response_status is distinct from 410 and not exists (
        select from webhooks.endpoints as endpoint
        where endpoint.tenant_id = delivery.tenant_id and endpoint.id = delivery.endpoint_id
          and not endpoint.event_types && webhooks.kind_names(delivery.event_type)) then clock_timestamp() + greatest(
        webhooks.retry_delay(verdict.automatic_made) * (1 + random() * 0.1),
        least(coalesce(result.retry_after_seconds, 0), 86400) * interval '1 second') end as next_attempt_at
    from (
      select distinct on (given.tenant_id, given.attempt_id) given.* from jsonb_to_recordset(p_results) as given (
        tenant_id uuid, delivery_id uuid, attempt_id uuid, url text, requested_at_ms double precision, duration_ms integer,
        response_status integer, response_body text, truncated boolean, error_code text, error_detail text, retry_after_seconds integer)
      order by given.tenant_id, given.attempt_id
    ) as result
    cross join lateral (
      select found.ctid as place, found.* from webhooks.deliveries as found
      where found.tenant_id = result.tenant_id and found.id = result.delivery_id and found.attempt_id = result.attempt_id
      limit 1 for update
    ) as delivery
    cross join lateral (
      select made.automatic_made, case when result.error_code is null then 'SUCCEEDED'
        when delivery.trigger <> 'test' and made.automatic_made >= 10 then 'EXHAUSTED' else 'FAILED' end as status
      from (select delivery.automatic_attempts + (delivery.trigger = 'auto')::integer as automatic_made) as made offset 0
    ) as verdict
  ), recorded as (
    insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts,
      trigger, status, url, requested_at, duration_ms, response_status, response_body, truncated, error_code, error_detail, next_attempt_at)
    select judged.tenant_id, judged.attempt_id, judged.environment, judged.endpoint_id, judged.id, judged.event_id, judged.event_type,
      judged.attempts + 1, judged.automatic_made, judged.trigger, judged.status, judged.url, judged.requested_at, judged.duration_ms,
      judged.response_status, judged.response_body, coalesce(judged.truncated, false), judged.error_code, judged.error_detail, judged.next_attempt_at
    from judged
  ), settled as (
    delete from webhooks.deliveries as delivery
    where delivery.ctid = any(array(select judged.place from judged where judged.next_attempt_at is null))
  ), postponed as (
    update webhooks.deliveries as delivery
    set attempts = delivery.attempts + 1, automatic_attempts = delivery.automatic_attempts + (delivery.trigger = 'auto')::integer,
      trigger = 'auto', ready = false, due_at = (select judged.next_attempt_at from judged where judged.place = delivery.ctid),
      attempt_id = null, leased_until = null
    where delivery.ctid = any(array(select judged.place from judged where judged.next_attempt_at is not null))
  ), of_endpoint as (
    -- Of a test, its success is noted and its failure is not counted. Failures count only for automatic attempts.
    select judged.tenant_id, judged.environment, judged.endpoint_id, bool_or(judged.response_status = 410) as is_gone,
      bool_or(judged.status = 'SUCCEEDED' and judged.trigger <> 'test') as has_succeeded,
      bool_or(judged.status = 'SUCCEEDED' and judged.trigger = 'test') as has_test_succeeded,
      count(*) filter (where judged.status <> 'SUCCEEDED' and judged.trigger = 'auto') as failures,
      min(judged.requested_at) filter (where judged.status <> 'SUCCEEDED' and judged.trigger = 'auto') as failed_at
    from judged where judged.trigger <> 'test' or judged.response_status = 410 or judged.status = 'SUCCEEDED'
    group by judged.tenant_id, judged.environment, judged.endpoint_id
  )
  select (select coalesce(array_agg(judged.attempt_id), '{}') from judged),
      (select jsonb_agg(of_endpoint order by of_endpoint.tenant_id, of_endpoint.endpoint_id) from of_endpoint)
    into v_taken, v_outcomes;

  -- One endpoint after the other, in one order, so that dispatchers that record at the same moment cannot deadlock. Most endpoints only
  -- succeeded, and need no write: the time of the last success is written at most once a second.
  for v_endpoint in
    select outcome.* from jsonb_to_recordset(v_outcomes) as outcome (
      tenant_id uuid, environment text, endpoint_id uuid, is_gone boolean, has_succeeded boolean, has_test_succeeded boolean, failures integer, failed_at timestamptz)
    cross join lateral (
      select from webhooks.endpoints as found
      where found.tenant_id = outcome.tenant_id and found.id = outcome.endpoint_id
        and (not outcome.has_succeeded or outcome.is_gone or found.consecutive_failures > 0 or found.last_success_at is null
          or found.last_success_at < clock_timestamp() - interval '1 second')
      limit 1
    ) as endpoint
  loop
    perform webhooks.count_outcomes(v_endpoint.tenant_id, v_endpoint.environment, v_endpoint.endpoint_id, v_endpoint.is_gone,
      v_endpoint.has_succeeded, v_endpoint.has_test_succeeded, v_endpoint.failures, v_endpoint.failed_at);
  end loop;
  return v_taken;
end
$$;
comment on function jobs.record_attempts(jsonb) is
  'Keeps the results of attempts, settles or postpones their deliveries, and counts the outcomes for their endpoints, in one transaction. Takes [{tenant_id, delivery_id, attempt_id, url, requested_at_ms, duration_ms, response_status, response_body, truncated, error_code (null: succeeded), error_detail, retry_after_seconds}]. Answers the attempts whose results were taken. The result of a delivery that was leased again is not taken.';
revoke execute on function jobs.record_attempts(jsonb) from public;
grant execute on function jobs.record_attempts(jsonb) to selo_worker;
