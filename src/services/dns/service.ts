import type { CommonParts, Service } from "../../service.ts";
import { readDnsMe } from "./operations/read-dns-me.ts";
import { dnsSettings } from "./settings.ts";

/** DNS hosting. */
export const dns: Service<CommonParts> = {
  name: "dns",
  operations: [readDnsMe],
  settings: dnsSettings,
  openapi: async () => (await import("./openapi.ts")).dnsDescription,
  examples: async () => (await import("./examples.ts")).dnsExamples,
  demo: {
    dns_key: async (operator, organizationId) =>
      (await (await import("./store.ts")).issueKey(operator, organizationId, "demo")).secret,
  },
  companions: [async (house) => (await import("./nameserver/nameserver-beside.ts")).nameserverBeside(house)],
  commands: [
    {
      words: { "dns-key": "API keys of DNS" },
      load: async () => (await import("./commands/key-commands.ts")).addKeyCommands,
    },
    {
      words: { nameserver: "install, run and inspect the nameserver that answers for the zones" },
      load: async () => (await import("./commands/nameserver-commands.ts")).addNameserverCommands,
    },
    {
      words: { dig: "ask the nameserver for a name" },
      load: async () => (await import("./commands/dig-command.ts")).addDigCommand,
    },
  ],
};
