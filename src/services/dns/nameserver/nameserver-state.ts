import { pingControl } from "../../../adapters/nameserver/control-client.ts";
import type { Nameservers } from "../../../adapters/nameserver/nameservers.ts";
import type { Config } from "../../../config/config.ts";
import type { PartStates } from "../../started-service.ts";
import { controlAccess } from "./control-access.ts";

/** Less than `/readyz` waits for all of it: a nameserver that hangs is told as such. */
const DEADLINE_MS = 1_500;

/**
 * What `/readyz` says about the nameservers to which this gateway sends changes. `nameserver`: `ok` if all answer, `unavailable` if not, `not_installed` if none is known.
 * `nameservers`: each, in the order of NAMESERVER_CONTROL_URLS, whose addresses are not for everybody. `ok`, `unavailable` if it does not answer now, `late` if changes
 * do not wait for it. None of this makes a gateway not ready: the other nameservers answer, and so does the gateway.
 */
export async function nameserverStates(config: Config, nameservers: Nameservers): Promise<PartStates> {
  const access = controlAccess(config);
  if (access === null) return { nameserver: "not_installed", nameservers: [] };
  const states = await Promise.all(
    access.urls.map(async (url) => {
      if (nameservers.stateOf(url) !== "answering") return "late";
      return (await pingControl(access, url, DEADLINE_MS)) ? "ok" : "unavailable";
    }),
  );
  return { nameserver: states.every((state) => state === "ok") ? "ok" : "unavailable", nameservers: states };
}
