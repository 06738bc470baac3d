import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import type { PeerPrograms } from "./nameserver-programs.ts";

const run = promisify(execFile);

/** How many questions wait for their answers at a time. */
const OUTSTANDING = 100;
const CLIENTS = 20;

/** What dnsperf saw. */
export interface Answered {
  readonly count: number;
  readonly perSecond: number;
  /** Bytes of an answer, on average. */
  readonly bytes: number;
  /** Share of the questions that were not answered. */
  readonly lost: number;
  /** How many answers had which response code: NOERROR, NXDOMAIN. */
  readonly codes: Readonly<Record<string, number>>;
}

/**
 * Asks the questions of a file with dnsperf, over UDP and with EDNS, as resolvers do.
 * @param how so many seconds, the file over and over; or so often the whole file
 * @param isDnssec whether signatures are asked for (the DO bit of RFC 3225)
 * @param core the processor core on which it runs; null for any
 */
export async function dnsperf(
  { dnsperf: program, env }: PeerPrograms,
  { host, port }: DnsServer,
  file: string,
  how: { readonly seconds: number } | { readonly passes: number },
  isDnssec: boolean,
  core: number | null,
): Promise<Answered> {
  const [command = "", ...before] = core === null ? [program] : ["taskset", "-c", String(core), program];
  const length = "seconds" in how ? ["-l", String(how.seconds)] : ["-n", String(how.passes)];
  const options = [...length, "-c", String(CLIENTS), "-q", String(OUTSTANDING), "-e", ...(isDnssec ? ["-D"] : [])];
  const { stdout } = await run(command, [...before, "-s", host, "-p", String(port), "-d", file, ...options], { env });
  const figure = (name: string) => Number(new RegExp(`${name}:\\s+([\\d.]+)`).exec(stdout)?.[1] ?? Number.NaN);
  const [, codes = ""] = /Response codes:\s+(.*)/.exec(stdout) ?? [];
  return {
    count: figure("Queries completed"),
    perSecond: figure("Queries per second"),
    bytes: Number(/response (\d+)/.exec(stdout)?.[1] ?? Number.NaN),
    lost: figure("Queries lost") / figure("Queries sent"),
    codes: Object.fromEntries([...codes.matchAll(/(\w+) (\d+)/g)].map(([, code = "", count]) => [code, Number(count)])),
  };
}
