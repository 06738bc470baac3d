import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { type Measurement, median } from "./measurement.ts";

const ROUNDS = 5;

/** Time from `npm start` on existing data until it answers ready. */
export async function start(): Promise<Measurement[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-"));
  const port = await freePort();
  try {
    const first = await startOnce(dataDir, port);
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round++) later.push(await startOnce(dataDir, port));
    return [
      { figure: "first npm start to ready", value: `${(first / 1_000).toFixed(2)} s` },
      { figure: "second npm start to ready", value: `${(median(later) / 1_000).toFixed(2)} s` },
    ];
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Answers the milliseconds from `npm start` in a folder until it is ready; it is stopped then. */
export async function startOnce(dataDir: string, port: number, cwd = process.cwd()): Promise<number> {
  const begun = performance.now();
  const selo = spawn("npm", ["start", "--silent"], {
    cwd,
    env: { ...process.env, SELO_DATA_DIR: dataDir, PORT: String(port) },
    stdio: "ignore",
    detached: true,
  });
  while (!(await isReady(port))) {
    if (selo.exitCode !== null) throw new Error(`npm start ended with ${selo.exitCode}`);
    if (performance.now() - begun > 120_000) throw new Error("npm start did not become ready within two minutes");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const taken = performance.now() - begun;
  // To the group, as Ctrl-C in a terminal.
  process.kill(-(selo.pid ?? 0), "SIGINT");
  await once(selo, "exit");
  return taken;
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return port;
}
