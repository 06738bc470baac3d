import type { Config } from "../../../config/config.ts";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { type Demo, readDemo, serviceAddress } from "../demo/demo-file.ts";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The service that a command of API clients calls, and the credential that it sends: what the caller gave, otherwise what `npm start` wrote
 * into the data folder. A credential of the demo organization goes to the service of `npm start` alone.
 * @param given.givenBy the option and the variable that take the credential, for the error
 * @param given.ofDemo the credential in demo.json; null if an older version wrote the file
 * @returns the address without a slash at its end
 * @throws CommandRefused without a credential
 */
export function calledService(
  config: Config,
  given: {
    readonly url: string | undefined;
    readonly credential: string | null;
    readonly givenBy: string;
    readonly ofDemo: (demo: Demo) => string | null;
  },
): { readonly url: string; readonly credential: string } {
  const readOwnDemo = () => readDemo(config.dataDir);
  const url = (given.url ?? serviceAddress(config, readOwnDemo)).replace(/\/+$/, "");
  if (given.credential !== null) return { url, credential: given.credential };
  const demo = readOwnDemo();
  const toGive = `give ${given.givenBy} and --url`;
  if (demo === null)
    throw new CommandRefused(
      `error: there is no demo organization in ${config.dataDir}: run \`npm start\` first, set SELO_DATA_DIR to its data folder, or ${toGive}`,
    );
  if (url !== demo.base_url && !LOCAL_HOSTS.includes(new URL(url).hostname))
    throw new CommandRefused(
      `error: the demo organization in ${config.dataDir} belongs to ${demo.base_url}, not to ${url}: ${toGive}`,
    );
  const credential = given.ofDemo(demo);
  if (credential === null)
    throw new CommandRefused(
      `error: the demo organization in ${config.dataDir} has no such credential yet: run \`npm start\` again, or ${toGive}`,
    );
  return { url, credential };
}
