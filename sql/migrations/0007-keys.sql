-- Sealing secrets again under another master key looks across tenants.
grant select, update (sealed_seed) on platform.platform_keys to selo_system;
