import type { Flushed } from "../../../adapters/nameserver/control-client.ts";
import { Nameservers } from "../../../adapters/nameserver/nameservers.ts";
import { type Config, ConfigError } from "../../../config/config.ts";
import { dnsSettings } from "../settings.ts";
import { controlAccess } from "./control-access.ts";

/** The nameservers of the settings, for a process that tells them of changes. The caller stops them. */
export const nameserversOf = (config: Config, log: (message: string) => void): Nameservers =>
  new Nameservers({ access: () => controlAccess(config), log });

/**
 * Has every nameserver forget its answers of the zones of a change, two seconds at most; those that were late three times in a row are not waited for. Null where no
 * nameserver is known. Never rejects: the change is committed, and its answer stands.
 */
export async function flushChanged(
  config: Config,
  nameservers: Nameservers,
  zones: readonly string[],
): Promise<Flushed | null> {
  try {
    return await nameservers.flush(zones);
  } catch (error) {
    // A file was taken away since the start. The nameservers are known, and none of them can be told.
    if (error instanceof ConfigError)
      return { confirmed: 0, of: config.of(dnsSettings).NAMESERVER_CONTROL_URLS?.length ?? 1 };
    throw error;
  }
}
