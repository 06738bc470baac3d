-- A try that a provider could not judge comes back a bounded number of times: the login of the gateway alone may say that a provider failed.

-- squawk-ignore adding-field-with-default
alter table signature.factors add column given_back integer not null default 0 check (given_back between 0 and 10);
comment on column signature.factors.given_back is 'How often a provider failed, and the try came back. The tries of one link come back ten times in all.';

update platform.error_codes as known set meaning = said.meaning
from (values
  ('wrong_code', 'The one-time code is wrong. `tries_left` says how many tries are left.'),
  ('wrong_answer', 'The answer to the second factor is wrong. `tries_left` says how many tries are left.')
) as said (code, meaning)
where known.code = said.code;
