-- The check of an upload tries what the seal will do.
insert into signature.document_reasons (name, description) values ('unsealable', 'The file is sound, but it cannot be sealed.');
