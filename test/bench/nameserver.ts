import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startDnsBench } from "./dns-bench.ts";
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
import { peerPrograms } from "./nameserver-programs.ts";
import { exportedZones, SMALL_ZONE, writeQuestions, ZONE } from "./nameserver-questions.ts";

/** Questions a second that PowerDNS answers, from caches and from Postgres, beside NSD and Knot with the files that the export writes. Aim: from caches, half of what the slower of both answers. */
export async function nameserver(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-questions-"));
  const programs = await peerPrograms();
  const bench = await startDnsBench();
  const peers: PeerProcess[] = [];
  try {
    const zones = await exportedZones(bench, folder);
    await bench.gateway.analyze();
    const nsd = await startNsd(programs, path.join(folder, "nsd"), zones, SERVER_THREADS);
    peers.push(nsd);
    const knot = await startKnot(programs, path.join(folder, "knot"), zones, SERVER_THREADS);
    peers.push(knot);
    const comparison: Comparison = {
      bench,
      programs,
      ours: ourServer(bench),
      peers: [peerServer("NSD", nsd), peerServer("Knot", knot)],
      isDnssec: false,
      forget: async () => {
        for (const zone of [ZONE, SMALL_ZONE]) await bench.powerDns.purge(zone);
      },
    };
    pinServers(comparison);
    const rows: Measurement[] = [];
    for (const questions of writeQuestions(folder)) rows.push(...(await compared(comparison, questions)));
    return rows;
  } finally {
    for (const peer of peers) await peer.stop();
    await bench.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
