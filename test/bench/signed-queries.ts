import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type DnsBench, startDnsBench } from "./dns-bench.ts";
import { dsByKnot, type SignedServer, signedByLdns, verdict } from "./dnssec-oracle.ts";
import type { Measurement } from "./measurement.ts";
import {
  type Comparison,
  compared,
  ourServer,
  peerServer,
  pinServers,
  SERVER_THREADS,
} from "./nameserver-comparison.ts";
import { type PeerProcess, startKnot, startNsd } from "./nameserver-processes.ts";
import { peerPrograms, type SigningPrograms, signingPrograms } from "./nameserver-programs.ts";
import { type BenchZone, exportedZones, SMALL_ZONE, writeQuestions, ZONE } from "./nameserver-questions.ts";

/**
 * Questions a second that PowerDNS answers with signatures, which it makes when it is asked, beside Knot that does the same and NSD with a zone that was signed
 * before. The same zones and questions. Cold twice: with new keys, so each signature has to be made, and with the signatures that PowerDNS remembers.
 */
export async function signedQueries(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-signed-"));
  const programs = await peerPrograms();
  const signing = await signingPrograms();
  const bench = await startDnsBench();
  const peers: PeerProcess[] = [];
  try {
    const zones = await exportedZones(bench, folder);
    await bench.gateway.analyze();
    const ds = await newKeys(bench, zones);
    const signed = [];
    for (const zone of zones) signed.push(await signedByLdns(signing, zone));
    const nsd = await startNsd(programs, path.join(folder, "nsd"), signed, SERVER_THREADS);
    peers.push(nsd);
    const knot = await startKnot(programs, path.join(folder, "knot"), zones, SERVER_THREADS, true);
    peers.push(knot);
    const ofKnot = await byName(zones, ({ name }) => dsByKnot(programs, path.join(folder, "knot/config"), name));
    await requireSound(signing, folder, "PowerDNS", { ...bench.nameserver, ds });
    await requireSound(signing, folder, "NSD", { ...nsd, ds: await byName(signed, (zone) => zone.ds) });
    await requireSound(signing, folder, "Knot", { ...knot, ds: ofKnot }, "secure: no such type");
    const purge = async () => {
      for (const { name } of zones) await bench.powerDns.purge(name);
    };
    const comparison: Comparison = {
      bench,
      programs,
      ours: ourServer(bench),
      // Knot signs no denial that a name exists. It says of each name that it has nothing of the type, which takes less.
      peers: [peerServer("NSD", nsd), peerServer("Knot", knot, { passes: 1, missing: "NOERROR" })],
      isDnssec: true,
      forget: purge,
    };
    pinServers(comparison);
    const rows: Measurement[] = [];
    for (const questions of writeQuestions(folder)) {
      if (!questions.isCold) {
        rows.push(...(await compared(comparison, questions)));
        continue;
      }
      const withNewKeys = async () => {
        await newKeys(bench, zones);
        await purge();
      };
      const { figure } = questions;
      rows.push(
        ...(await compared({ ...comparison, forget: withNewKeys }, { ...questions, figure: `${figure}, a new key` })),
        ...(await compared(comparison, { ...questions, figure: `${figure}, signed before` })),
      );
    }
    return rows;
  } finally {
    for (const peer of peers) await peer.stop();
    await bench.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives each zone a new key, and answers the DS records with SHA-256. Signatures of a key that is gone are of no use. */
function newKeys(bench: DnsBench, zones: readonly BenchZone[]): Promise<Record<string, string>> {
  return byName(zones, async ({ id }) => {
    const { enabled } = JSON.parse((await bench.ask("GET", `/zones/${id}/dnssec`)).text) as DnssecStatus;
    if (enabled) await bench.ask("DELETE", `/zones/${id}/dnssec`, { confirm: true });
    const { text, confirmed } = await bench.ask("POST", `/zones/${id}/dnssec`);
    if (confirmed !== "1/1") throw new Error(`DNSSEC was enabled, and ${confirmed} nameservers know it`);
    return (JSON.parse(text) as DnssecStatus).keys[0]?.ds_records[0] ?? "";
  });
}

interface DnssecStatus {
  readonly enabled: boolean;
  readonly keys: readonly { readonly ds_records: readonly string[] }[];
}

async function byName<Zone extends { readonly name: string }>(
  zones: readonly Zone[],
  value: (zone: Zone) => string | Promise<string>,
): Promise<Record<string, string>> {
  const entries: (readonly [string, string])[] = [];
  for (const zone of zones) entries.push([zone.name, await value(zone)]);
  return Object.fromEntries(entries);
}

/** Of each kind of answer that is timed, one from each zone: delv accepts it. */
async function requireSound(
  signing: SigningPrograms,
  folder: string,
  name: string,
  server: SignedServer,
  missing = "secure: no such name",
): Promise<void> {
  const kinds = [
    ["host-5", "A", "secure"],
    ["host-0", "AAAA", "secure"],
    ["host-1", "CNAME", "secure"],
    ["host-2", "MX", "secure"],
    ["host-3", "TXT", "secure"],
    ["host-5", "MX", "secure: no such type"],
    ["missing-1", "A", missing],
    ["missing-2", "A", missing],
  ];
  for (const zone of [ZONE, SMALL_ZONE])
    for (const [label, type = "", expected] of kinds) {
      const said = await verdict(signing, server, zone, { name: `${label}.${zone}`, type }, folder);
      if (said !== expected) throw new Error(`${name}: delv calls ${label}.${zone} ${type} ${said}, not ${expected}`);
    }
}
