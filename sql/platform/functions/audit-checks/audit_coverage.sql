create or replace function platform.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('platform.audit_events', '{tenant_id,environment,id,subject_type,subject_id,seq,action,actor_type,actor_id,channel,request_id,occurred_at,details,commitments,prev_hash,hash}', 'events', 'hash, place and link recomputed'),
    ('platform.audit_events', '{personal}', 'events', 'compared with the commitments until the data are erased; an erasure shows, but not its author'),
    ('platform.audit_seals', '{number,sealed_at,chains,root,evidence,platform_key_id,platform_pq_key_id}', 'seals', 'compared with the signed payload, the next seal, and the tree of the seal'),
    ('platform.audit_seals', '{platform_signature,platform_signature_pq}', 'seals', 'verified again, with the keys of `--keys` if given'),
    ('platform.audit_seal_leaves', '{tenant_id,environment,subject_id,seal_number,seq,hash}', 'seals', 'covered by the signed root'),
    ('platform.audit_seal_roots', '{tenant_id,seal_number,chains,root}', 'seals', 'covered by the signed root'),
    ('platform.organizations', '{id,number,name,plan,jurisdiction,language,time_zone,contact_email,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('platform.projects', '{tenant_id,environment,id}', 'records', 'part of the digest of the organization'),
    ('platform.tokens', '{tenant_id,id,environment,name,prefix,scopes,created_at,record_salt}', 'records', 'compared with the salted digest in the last event of the record'),
    ('platform.credentials', '{digest,kind,tenant_id,actor_id,scopes_from,scopes,expires_at,revoked_at}', 'records', 'part of the digest of the token; each token has one credential, and every credential is of a kind that a service makes'),
    ('platform.credentials', '{environment}', 'credentials', 'compared with the environment of the actor'),
    ('platform.actor_uses', '{tenant_id,kind,actor_id,environment,last_used_at}', null, 'a token or another actor shows a wrong time of last use'),
    ('platform.analysts', '{login,tenant_id,environment,created_at,id,record_salt}', 'records', 'compared with the salted digest in the event of the record'),
    ('platform.settings', '{name,value}', 'settings', 'compared with the last event that changed the setting'),
    ('platform.credit_balances', '{tenant_id,kind,balance}', 'credits', 'compared with the sum of the ledger'),
    ('platform.credit_balances', '{slot}', null, 'nothing: the balance is the sum of all sixteen rows'),
    ('platform.credit_ledger', '{tenant_id,id,kind,amount,reason,subject_id,created_at}', 'credits', 'compared with the event of the grant, or of the paid subject; times within an hour'),
    ('platform.platform_keys', '{key_id,environment,algorithm,public_key,status,created_at,retired_at}', 'keys', 'recomputed from the key, compared with the events that made and retired the key (times within an hour), and with `--keys`'),
    ('platform.platform_keys', '{sealed_seed}', null, 'the gateway stops signing, and `/readyz` says so: a seed can be decrypted only under the name of its own key'),
    ('platform.seal_certificates', '{certificate_id,environment,certificate,not_before,not_after,status,created_at,retired_at}', 'seal_certificates', 'recomputed from the certificate, compared with the events that made and retired the certificate (times within an hour)'),
    ('platform.seal_certificates', '{sealed_key}', null, 'the worker seals no more PDFs, and `/readyz` says so: a private key can be decrypted only under the name of its own certificate'),
    ('platform.public_codes', '{code,tenant_id,environment,subject_type,subject_id}', 'codes', 'compared with the record of the code, in both directions'),
    ('platform.idempotency_keys', '{tenant_id,environment,key,request_hash,status,body,subject_id,created_at}', null, 'for IDEMPOTENCY_RETENTION_DAYS a repeated request gets another answer than the first, or runs again'),
    ('platform.fault_watch', '{is_only,since,seen_at}', null, 'the page `/status` says another time since which faults are recorded, or that the service was away'),
    ('platform.faults', '{id,component,extent,began_at,ended_at}', null, 'the page `/status` shows a fault that was none, or lacks one'),
    ('platform.workers', '{id,since,seen_at}', null, 'a job of a worker that was killed waits longer, or one runs twice'),
    ('platform.request_counts', '{key,count,resets_at}', null, 'a limit lets more or fewer requests through, for a minute, or more or fewer attempts to sign in, for an hour at most'),
    ('platform.mails', '{tenant_id,environment,id,kind,recipient,language,data,created_at,sent_at,failed_at,failure,erased_at,is_withheld,envelope_id,participant_id,composed_at,subject,text,html,link,code,channel}', null, 'a mail says something else, goes to another recipient, or is not sent'),
    ('platform.error_codes', '{code,status,meaning}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.environments', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.plans', '{name,rank}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.plan_features', '{name,lowest_plan,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.jurisdictions', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.plan_limits', '{plan,name,most}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.scopes', '{name,grants,kinds}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.scope_sources', '{name,function_name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.actor_kinds', '{name,description,spans_environments}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.mail_kinds', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.channels', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.prices', '{reason,kind,amount,action}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.credit_kinds', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.platform_key_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.migrations', '{name,hash,applied_at}', null, '`selo migrate` refuses to run, runs a migration again, or records reference data and settings again'),
    ('platform.repeatable_step', '{only_row,hash,applied_at}', null, '`selo migrate` makes the views and functions again without need, or leaves them as they were'),
    ('gateway.view_comments', '{view,column_name,comment}', null, 'gateways that start later answer another GraphQL schema: other names, filters, orders and descriptions, and fields that need no token; the view itself still decides what it shows, and to whom'),
    ('gateway.commands', '{name,schema,is_volatile,scope,shown_once,oid}', null, 'a request is refused; or a repeated request runs again, is answered to a token without the scope, or is kept with a secret that is shown once; the function of a command still decides what the command does'),
    ('secrets.context_key', '{only_row,key}', null, 'a holder of the gateway''s login who knows the key can read every organization; `selo restore` makes a new key')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function platform.audit_coverage() is
  'What `selo audit verify` does about each column: the check that finds an edit, and how. The row of a column without a check says what an unnoticed edit would do. The guide What an audit covers shows this list. Tests make every edit.';
revoke execute on function platform.audit_coverage() from public;
