import { type Flushed, flushZones } from "../../../adapters/nameserver/flush-zones.ts";
import type { Config } from "../../../config.ts";
import { controlAccess } from "./control-access.ts";

/** Has every nameserver forget its answers of a zone, two seconds at most. Null where no nameserver is known. */
export async function flushZone(config: Config, zone: string): Promise<Flushed | null> {
  const access = controlAccess(config);
  return access === null ? null : flushZones(access, [zone]);
}
