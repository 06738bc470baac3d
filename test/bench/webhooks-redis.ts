import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

/** A Redis of its own, as BullMQ recommends it: every change in the append-only file, synced each second. */
export interface BenchRedis {
  readonly socket: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Null, with the reason printed, where there is no redis-server. */
export async function startRedis(): Promise<BenchRedis | null> {
  if (spawnSync("redis-server", ["--version"]).status !== 0) {
    console.error("BullMQ is left out: there is no redis-server (Debian: apt-get install redis-server)");
    return null;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-redis-"));
  const socket = path.join(folder, "redis.sock");
  const settings = [
    "--port 0",
    `--unixsocket ${socket}`,
    `--dir ${folder}`,
    "--appendonly yes",
    "--appendfsync everysec",
  ];
  const args = [...settings, "--save ''", "--maxmemory-policy noeviction"].flatMap((setting) => {
    const [name = "", value = ""] = setting.split(" ");
    return [name, value === "''" ? "" : value];
  });
  const server: ChildProcess = spawn("redis-server", args, { stdio: ["ignore", "ignore", "inherit"] });
  while (!fs.existsSync(socket)) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
    await setTimeout(20);
  }
  return {
    socket,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill("SIGTERM");
      if (server.exitCode === null) await once(server, "exit");
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
