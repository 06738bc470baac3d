-- A PDF that its signer certified without any change takes no seal, so no envelope with it can be sent.
alter table signature.documents add column is_certified boolean not null default false;
comment on column signature.documents.is_certified is
  'Whether the uploaded PDF is certified and allows no change (DocMDP, /P 1): it takes neither signature nor seal.';
