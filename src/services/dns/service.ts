import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { dnsOperations } from "./operations.ts";
import type { DnsParts } from "./parts.ts";
import { dnsSettings } from "./settings.ts";

/** DNS hosting. */
export const dns: Service<DnsParts> = {
  name: "dns",
  operations: dnsOperations,
  settings: dnsSettings,
  parts: async ({ metrics }, { config, log, onClose }): Promise<Own<DnsParts>> => {
    const [
      { controlAccess },
      { nameserversOf },
      { dnsMetrics },
      { ZoneFiles },
      { Delegations },
      { AliasTargets },
      { QuickScans },
    ] = await Promise.all([
      import("./nameserver/control-access.ts"),
      import("./nameserver/nameservers-of.ts"),
      import("./metrics.ts"),
      import("./zone-file/zone-file-thread.ts"),
      import("./delegation/delegation-checks.ts"),
      import("./aliases/alias-targets.ts"),
      import("./quick-scan/quick-scan.ts"),
    ]);
    // Wrong settings are told at the start, and not by the first change.
    controlAccess(config);
    const nameservers = nameserversOf({ config, log, metrics, onClose });
    const names = config.of(dnsSettings).NAMESERVER_NAMES ?? null;
    return {
      nameserverNames: names,
      ownHosts: [...(names ?? []), new URL(config.publicUrl).hostname],
      nameservers,
      dnsMetrics: metrics.of(dnsMetrics),
      // Others have most connections, however many organizations import.
      zoneFiles: new ZoneFiles(Math.floor(config.databasePoolSize / 4)),
      delegations: Delegations.of(config),
      aliasTargets: AliasTargets.of(config),
      quickScans: QuickScans.of(config),
    };
  },
  openapi: async () => (await import("./openapi.ts")).dnsDescription,
  pages: async () => ({ list: [], needs: { dns: ["database", "migrations", "nameservers"] } }),
  examples: async () => (await import("./examples.ts")).dnsExamples,
  metrics: async () => (await import("./metrics.ts")).dnsMetrics,
  partStates: async (config, { nameservers }) =>
    (await import("./nameserver/nameserver-state.ts")).nameserverStates(config, nameservers),
  watched: async (context) => {
    const { nameserverStates } = await import("./nameserver/nameserver-state.ts");
    const { nameserversOf } = await import("./nameserver/nameservers-of.ts");
    const nameservers = nameserversOf(context);
    return {
      nameservers: async () => {
        const states = [(await nameserverStates(context.config, nameservers))["nameservers"] ?? []].flat();
        const answering = states.filter((state) => state === "ok").length;
        return answering === states.length ? "ok" : answering > 0 ? "part" : "failed";
      },
    };
  },
  mails: async () => (await import("./mails.ts")).dnsMails,
  tasks: {
    check_delegations: {
      load: async ({ config }) =>
        (await import("../../../workers/dns/check-delegations.ts")).checkDelegationsOf(config),
      schedule: { at: "* * * * *", attempts: 1 },
    },
    resolve_aliases: {
      load: async (context) => (await import("../../../workers/dns/resolve-aliases.ts")).resolveAliasesOf(context),
      schedule: { at: "* * * * *", attempts: 1 },
    },
    flush_zone: {
      load: async (context) => (await import("../../../workers/dns/flush-zone.ts")).flushZoneOf(context),
    },
    delete_old_zones: {
      load: async () => (await import("../../../workers/dns/delete-old-zones.ts")).deleteOldZones,
      schedule: { at: "23 * * * *", attempts: 3 },
    },
  },
  sealedColumns: async () => {
    const { dnssecKeyPurpose } = await import("./dnssec/dnssec-keys.ts");
    return [
      {
        table: "dns.dnssec_keys",
        column: "sealed_private_key",
        purpose: ({ zone_id, key_tag }) => dnssecKeyPurpose(Number(zone_id), Number(key_tag)),
      },
    ];
  },
  errorHelp: async () => (await import("./error-help.ts")).dnsErrorHelp,
  rebuild: async (operator, masterKeys) =>
    (await import("./nameserver/rebuild-served.ts")).rebuildServed(operator, async () => masterKeys),
  demo: {
    dns_key: async (operator, organizationId) =>
      (await (await import("./store.ts")).issueKey(operator, organizationId, "demo")).secret,
  },
  companions: [async (context) => (await import("./nameserver/nameserver-beside.ts")).nameserverBeside(context)],
  commands: [
    {
      words: { "dns-key": "DNS API keys" },
      load: async () => (await import("./commands/key-commands.ts")).addKeyCommands,
    },
    {
      words: { zone: "DNS zones and their records, with an API key" },
      exitCodes: { "zone diff": { 1: "the zone differs from the file", 2: "refused or failed" } },
      load: async () => (await import("./commands/zone-commands.ts")).addZoneCommands,
    },
    {
      words: { nameserver: "install, run and inspect the nameserver that answers for the zones" },
      exitCodes: {
        "nameserver rebuild": { 1: "a part could not be rebuilt" },
        "nameserver status": { 1: "a nameserver does not answer" },
      },
      load: async () => (await import("./commands/nameserver-commands.ts")).addNameserverCommands,
    },
    {
      words: { dig: "look up a name at the nameserver" },
      load: async () => (await import("./commands/dig-command.ts")).addDigCommand,
    },
  ],
};
