import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { isFree } from "../programs/free-port.ts";
import { errorCode, ProgramError } from "../programs/program-error.ts";

/** Below the ports that systems give to outgoing connections, and near the port of DNS in its digits. */
const FIRST_PORT = 5_300;
/** mDNS has its own port: programs that look for names on the local network would find us. */
const MDNS_PORT = 5_353;

/** The port that was kept, if it is free over UDP and TCP on all addresses; otherwise the next free one from 5300 on. */
export async function chooseDnsPort(addresses: readonly string[], kept: number | null): Promise<number> {
  const candidates = [...(kept === null ? [] : [kept]), ...Array.from({ length: 200 }, (_, step) => FIRST_PORT + step)];
  for (const port of candidates) if (port !== MDNS_PORT && (await isFreeEverywhere(addresses, port))) return port;
  throw new ProgramError("No port from 5300 on is free for the nameserver; set NAMESERVER_PORT.");
}

async function isFreeEverywhere(addresses: readonly string[], port: number): Promise<boolean> {
  for (const address of addresses)
    if (!(await isFree(port, address)) || !(await isFreeUdp(port, address))) return false;
  return true;
}

function isFreeUdp(port: number, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createSocket(isIPv6(address) ? "udp6" : "udp4");
    probe.once("error", (error) => {
      probe.close();
      const code = errorCode(error);
      if (code === "EADDRINUSE" || code === "EACCES") resolve(false);
      else reject(error);
    });
    probe.bind({ port, address, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
