import { pingControl } from "../../../adapters/nameserver/flush-zones.ts";
import type { Config } from "../../../config.ts";
import { controlAccess } from "./control-access.ts";

/** What `/readyz` says: whether all nameservers that gateways tell of changes answer. */
export async function nameserverState(config: Config): Promise<"ok" | "unavailable" | "not_installed"> {
  const access = controlAccess(config);
  if (access === null) return "not_installed";
  const answers = await Promise.all(access.urls.map((url) => pingControl(access, url)));
  return answers.every(Boolean) ? "ok" : "unavailable";
}
