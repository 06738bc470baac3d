import type { ControlAccess } from "../../../adapters/nameserver/control-request.ts";
import { type Flushed, flushZones } from "../../../adapters/nameserver/flush-zones.ts";
import { type Config, ConfigError } from "../../../config.ts";
import { dnsSettings } from "../settings.ts";
import { controlAccess } from "./control-access.ts";

/**
 * Has every nameserver forget its answers of a zone, two seconds at most. Null where no nameserver is known. Rejects never: the change is committed, and its
 * answer stands.
 */
export async function flushZone(config: Config, zone: string): Promise<Flushed | null> {
  let access: ControlAccess | null;
  try {
    access = controlAccess(config);
  } catch (error) {
    // A file was taken away since the start. The nameservers are known, and none of them can be told.
    if (error instanceof ConfigError)
      return { confirmed: 0, of: config.of(dnsSettings).NAMESERVER_CONTROL_URLS?.length ?? 1 };
    throw error;
  }
  return access === null ? null : flushZones(access, [zone]);
}
