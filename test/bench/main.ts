/** `npm run bench [name …]`: each benchmark against its limit in the same run, interleaved; prints one table. */
import os from "node:os";
import { accounts } from "./accounts.ts";
import { aliases } from "./aliases.ts";
import { analysts } from "./analysts.ts";
import { attachments } from "./attachments.ts";
import { audit } from "./audit.ts";
import { certificates } from "./certificates.ts";
import { connectors } from "./connectors.ts";
import { credits } from "./credits.ts";
import { delegations } from "./delegations.ts";
import { dnsChanges } from "./dns-changes.ts";
import { docsPage } from "./docs-page.ts";
import { documents } from "./documents.ts";
import { dossier } from "./dossier.ts";
import { enableDnssec } from "./enable-dnssec.ts";
import { envelopes } from "./envelopes.ts";
import { eventLoop } from "./event-loop.ts";
import { factors } from "./factors.ts";
import { flood } from "./flood.ts";
import { graphql } from "./graphql.ts";
import { invoiceKills } from "./invoice-kills.ts";
import { invoices } from "./invoices.ts";
import { labels } from "./labels.ts";
import { lists } from "./lists.ts";
import type { Measurement } from "./measurement.ts";
import { memory } from "./memory.ts";
import { nameserver } from "./nameserver.ts";
import { proofs } from "./proofs.ts";
import { publicProofs } from "./public-proofs.ts";
import { reads } from "./reads.ts";
import { receipts } from "./receipts.ts";
import { records } from "./records.ts";
import { reminders } from "./reminders.ts";
import { sealing } from "./sealing.ts";
import { search } from "./search.ts";
import { signedQueries } from "./signed-queries.ts";
import { start } from "./start.ts";
import { storage } from "./storage.ts";
import { templates } from "./templates.ts";
import { twoNameservers } from "./two-nameservers.ts";
import { validation } from "./validation.ts";
import { web } from "./web-pages.ts";
import { webhookBacklog } from "./webhooks-backlog.ts";
import { webhookCost } from "./webhooks-cost.ts";
import { webhookDeliveries } from "./webhooks-deliveries.ts";
import { webhookLatency } from "./webhooks-latency.ts";
import { zoneFiles } from "./zone-files.ts";

const benchmarks: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  accounts,
  analysts,
  attachments,
  audit,
  certificates,
  connectors,
  credits,
  dnsChanges,
  aliases,
  delegations,
  docsPage,
  documents,
  dossier,
  enableDnssec,
  envelopes,
  eventLoop,
  factors,
  flood,
  graphql,
  invoiceKills,
  invoices,
  labels,
  lists,
  memory,
  nameserver,
  proofs,
  publicProofs,
  reads,
  receipts,
  records,
  reminders,
  sealing,
  search,
  signedQueries,
  start,
  storage,
  templates,
  twoNameservers,
  validation,
  web,
  webhookBacklog,
  webhookCost,
  webhookDeliveries,
  webhookLatency,
  zoneFiles,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0)
  throw new Error(`there is no benchmark ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}`);

const rows: Measurement[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length === 0 || asked.includes(name)) rows.push(...(await run()));
}
console.log(
  `\n${os.cpus()[0]?.model ?? "unknown processor"}, ${os.availableParallelism()} cores, Node ${process.versions.node}\n`,
);
console.log("| figure | value | limit or peer | ratio | p50 | p99 |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const row of rows)
  console.log(
    `| ${[row.figure, row.value, row.peer ?? "", row.ratio ?? "", row.p50 ?? "", row.p99 ?? ""].join(" | ")} |`,
  );
