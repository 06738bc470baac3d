--! no-transaction
create index concurrently if not exists proofs_sizes on signature.proofs (tenant_id, file_size);
