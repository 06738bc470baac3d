import { pingControl } from "../../../adapters/nameserver/flush-zones.ts";
import type { Config } from "../../../config.ts";
import { controlAccess } from "./control-access.ts";
import { findNameserver } from "./run-nameserver.ts";

/** What `selo nameserver status` shows. */
export interface NameserverStatus {
  /** The program on this machine; null if it has none. */
  readonly program: { readonly program: string; readonly version: string } | null;
  /** Every nameserver that gateways tell of changes. */
  readonly control: readonly { readonly url: string; readonly state: "ok" | "unavailable" }[];
}

/** Inspects the nameservers of a deployment; starts and changes nothing. */
export async function nameserverStatus(config: Config): Promise<NameserverStatus> {
  const found = await findNameserver(config);
  const access = controlAccess(config);
  const control = await Promise.all(
    (access?.urls ?? []).map(async (url) => ({
      url,
      state: access !== null && (await pingControl(access, url)) ? ("ok" as const) : ("unavailable" as const),
    })),
  );
  return { program: found === null ? null : { program: found.program, version: found.version }, control };
}
