import { isIP } from "node:net";
import { type Command, InvalidArgumentError } from "commander";
import type { RecordType } from "dns-packet";
import { askDns } from "../../../adapters/nameserver/ask.ts";
import { recordText } from "../../../adapters/nameserver/record-text.ts";
import type { DnsServer } from "../../../adapters/resolver/exchange.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { print } from "../../../surfaces/cli/print.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { readDemo } from "../../platform/demo/demo-file.ts";

const TYPES = [
  "A",
  "AAAA",
  "CAA",
  "CDNSKEY",
  "CDS",
  "CNAME",
  "DNSKEY",
  "DS",
  "MX",
  "NS",
  "NSEC3PARAM",
  "PTR",
  "SOA",
  "SRV",
  "TXT",
] as const satisfies readonly RecordType[];

function typeNamed(text: string): RecordType {
  const found = TYPES.find((type) => type === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`must be one of ${TYPES.join(", ")}`);
  return found;
}

/** `127.0.0.1:5300`, `[::1]:5300`, `192.0.2.1`; port 53 by default. */
function serverAt(text: string): DnsServer {
  const [, ipv6, host = text, port = "53"] = /^(?:\[([\da-f:.]+)\]|([^:]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const server = { host: ipv6 ?? host, port: Number(port) };
  if (isIP(server.host) === 0 || server.port < 1 || server.port > 65_535)
    throw new InvalidArgumentError("must be an IP address, with :port if it is not 53");
  return server;
}

/** `selo dig`: asks the nameserver itself, past every cache on the way. */
export function addDigCommand(program: Command, context: CommandContext): void {
  program
    .command("dig")
    .description("look up a name at the nameserver, and print the answer in dig's short form")
    .argument("<name>", "the name: www.example.com")
    .argument("[type]", `the type: ${TYPES.join(", ")}`, typeNamed, "A")
    .option("--server <address>", "the nameserver to query (default: the nameserver of `npm start`)", serverAt)
    .option("--json", "print JSON")
    .action(async (name: string, type: RecordType, options: { server?: DnsServer; json?: boolean }) => {
      const server = options.server ?? ownServer(context);
      const reply = await askDns(server, { name, type });
      const answers = reply.answers.map((record) => ({
        name: record.name,
        ttl: record.ttl ?? 0,
        type: record.type,
        data: recordText(record),
      }));
      const shown = { status: reply.status, authoritative: reply.isAuthoritative, tcp: reply.cameByTcp, answers };
      // dig prints nothing without an answer. A line here says why the answer is missing.
      print(
        options.json,
        shown,
        () => answers.map(({ data }) => printable(data)).join("\n") || `; ${reply.status}, no answer`,
      );
    });
}

function ownServer(context: CommandContext): DnsServer {
  const address = readDemo(context.config().dataDir)?.["nameserver"];
  if (typeof address !== "string")
    throw new CommandRefused("No nameserver of `npm start` is known. Name one with --server.");
  return serverAt(address);
}
