// PowerDNS as our child: what it answers, what it says of itself, and what happens when it or we are killed.
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { encode, type Packet, streamDecode, streamEncode } from "dns-packet";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askDns } from "../../../src/adapters/nameserver/ask.ts";
import { connectionOf } from "../../../src/adapters/nameserver/connection.ts";
import { RunFolder } from "../../../src/adapters/nameserver/run-folder.ts";
import { processStamp } from "../../../src/adapters/programs/process-stamp.ts";
import { addressesOf, addZone, type NameserverStage, nameserverStage } from "../../support/nameserver-stage.ts";
import { freePort, processesIn } from "../../support/selo-process.ts";

const isRoot = process.getuid?.() === 0;
let stage: NameserverStage;
beforeEach(async () => {
  stage = await nameserverStage();
  await addZone(stage.database.admin, 1, "example.com", "192.0.2.1");
}, 400_000);
afterEach(() => stage.close());

const runFolder = () => path.join(stage.options.dataDir, "nameserver-run");
const pidOf = () => stage.pid();
const lives = (pid: number) => processStamp(pid) !== undefined;

/** The condition is outside of this process, so there is no event to await. */
async function until(what: () => Promise<boolean> | boolean, patience = 30_000): Promise<void> {
  for (const deadline = performance.now() + patience; !(await what()); await sleep(20))
    if (performance.now() > deadline) throw new Error("waited in vain");
}
const answers = (port: number) =>
  addressesOf(port, "www.example.com").then(
    (found) => found[0] === "192.0.2.1",
    () => false,
  );

describe("answers", () => {
  test("come from the tables, over the socket of Postgres and over TCP", async () => {
    for (const way of ["socket", "tcp"] as const) {
      const nameserver = await stage.start({ connection: connectionOf(stage.url(way)) });
      expect(await addressesOf(nameserver.port, "www.example.com")).toEqual(["192.0.2.1"]);
      expect(await addressesOf(nameserver.port, "nothing.example.com")).toBe("NXDOMAIN");
      expect(await addressesOf(nameserver.port, "www.example.net")).toBe("REFUSED");
      await nameserver.stop();
    }
  });

  test("that do not fit into a datagram come by TCP", async () => {
    const text = "x".repeat(200);
    await stage.database.admin.query(
      `insert into pdns.records (domain_id, name, type, content, ttl) select 1, 'many.example.com', 'TXT', '"' || $1 || n || '"', 300 from generate_series(1, 40) n`,
      [text],
    );
    const { port } = await stage.start();
    const reply = await askDns({ host: "127.0.0.1", port }, { name: "many.example.com", type: "TXT" });
    expect(reply).toMatchObject({ status: "NOERROR", isAuthoritative: true, cameByTcp: true });
    expect(reply.answers).toHaveLength(40);
  });

  test("say nothing about the program, and no zone is handed out", async () => {
    const { port } = await stage.start();
    for (const name of ["version.bind", "id.server"]) {
      const said = (await chaos(port, name)).toString("latin1");
      expect(said).not.toMatch(/powerdns|4\.\d/i);
      expect(said).not.toContain(os.hostname());
    }
    const transfer = await overTcp(port, { type: "query", id: 8, questions: [{ name: "example.com", type: "AXFR" }] });
    expect(transfer).toEqual({ answers: [], status: 9 }); // NOTAUTH
  });
});

test("secrets are for the nameserver's user alone, stand on no command line, and go with it", async () => {
  const nameserver = await stage.start();
  const config = path.join(runFolder(), "config");
  expect(fs.statSync(config).mode & 0o777).toBe(0o700);
  for (const name of ["pdns.conf", "pgpass"]) expect(fs.statSync(path.join(config, name)).mode & 0o777).toBe(0o600);
  const commandLine = fs.readFileSync(`/proc/${pidOf()}/cmdline`, "utf8");
  expect(commandLine).not.toMatch(/secret|api-key/);
  expect(fs.readFileSync(`/proc/${pidOf()}/environ`, "utf8")).not.toContain("secret");
  await nameserver.stop();
  expect(fs.existsSync(config)).toBe(false);
  expect(fs.readdirSync(runFolder()).sort()).toEqual(["pdns.log", "port"]);
});

test("it never runs as root: as another user, or in a user namespace where only root reaches the folder", async ({
  skip,
}) => {
  skip(!isRoot, "another user runs these tests");
  const mappedUid = () => /^Uid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pidOf()}/status`, "utf8"))?.[1];
  const first = await stage.start();
  expect(mappedUid()).not.toBe("0");
  await first.stop();
  fs.chmodSync(stage.folder, 0o700);
  const second = await stage.start({ connection: connectionOf(stage.url("tcp")) });
  // Root outside, nobody inside.
  expect(fs.readFileSync(`/proc/${pidOf()}/uid_map`, "utf8").trim()).toMatch(/^65534\s+0\s+1$/);
  expect(await addressesOf(second.port, "www.example.com")).toEqual(["192.0.2.1"]);
});

describe("kills", () => {
  test("kill -9 of PowerDNS: it is back within seconds, on its port", async () => {
    const { port } = await stage.start();
    for (let time = 0; time < 2; time++) {
      const pid = pidOf();
      process.kill(pid, "SIGKILL");
      await until(() => !lives(pid));
      await until(() => answers(port));
    }
    expect(stage.messages).toContain("The nameserver is back.");
  });

  test("kill -9 of our process: PowerDNS goes on answering, the next start ends it and serves on the same port", async () => {
    const url = (file: string) => new URL(`../../../src/adapters/nameserver/${file}`, import.meta.url).href;
    const { log: _, ...options } = stage.options;
    // Kept from an earlier start, or a nameserver of another test might take the port between the kill and the next start.
    new RunFolder(options.dataDir).keepPort(await freePort());
    const script = `
      import { Nameserver } from ${JSON.stringify(url("nameserver.ts"))};
      const nameserver = await Nameserver.start({ ...${JSON.stringify(options)}, log: () => {} });
      console.log(nameserver.port);
      process.stdin.resume();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const port = Number(await new Promise((done) => createInterface(child.stdout).once("line", done)));
    const orphan = pidOf();
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
    expect(await addressesOf(port, "www.example.com")).toEqual(["192.0.2.1"]);
    const nameserver = await stage.start();
    expect(stage.messages).toEqual([`Ended the nameserver that an earlier process left running (process ${orphan}).`]);
    expect(lives(orphan)).toBe(false);
    expect(nameserver.port).toBe(port);
    expect(await addressesOf(port, "www.example.com")).toEqual(["192.0.2.1"]);
  });

  test("stop leaves no process, also while it is being started again", async () => {
    const first = await stage.start();
    const pid = pidOf();
    await first.stop();
    await first.stop(); // may be called again
    expect(lives(pid)).toBe(false);
    const second = await stage.start();
    const next = pidOf();
    process.kill(next, "SIGKILL");
    await until(() => !lives(next));
    await second.stop();
    expect(processesIn(runFolder())).toEqual([]);
  });
});

describe("refusals", () => {
  test("two at once on a folder", async () => {
    await stage.start();
    await expect(stage.start()).rejects.toThrow(`already in use by process ${process.pid}`);
  });

  test("a database that refuses it: the reason is in the message, and nothing is left", async () => {
    const connection = { ...stage.options.connection, password: "wrong" };
    await expect(stage.start({ connection })).rejects.toThrow(/does not start[\s\S]*password authentication failed/);
    expect(fs.existsSync(path.join(runFolder(), "config"))).toBe(false);
    await stage.start(); // the lock is free again
  });

  test("a port that is taken is passed over; one that was asked for is an error", async () => {
    const taken = net.createServer();
    const first = await stage.start();
    await first.stop();
    await new Promise<void>((done) => taken.listen(first.port, "127.0.0.1", done));
    try {
      await expect(stage.start({ port: first.port })).rejects.toThrow(/does not start[\s\S]*Address already in use/i);
      const second = await stage.start();
      expect(second.port).not.toBe(first.port);
    } finally {
      await new Promise((done) => taken.close(done));
    }
  });
});

/** A question of class CH, which only servers about themselves answer. */
async function chaos(port: number, name: string): Promise<Buffer> {
  const socket = createSocket("udp4");
  const bytes = await new Promise<Buffer>((done) => {
    socket.once("message", done);
    socket.send(encode({ type: "query", id: 7, questions: [{ name, type: "TXT", class: "CH" }] }), port, "127.0.0.1");
  });
  socket.close();
  return bytes;
}

/** Asks over TCP, as a transfer is asked for. */
async function overTcp(port: number, packet: Packet): Promise<{ answers: unknown[]; status: number }> {
  const socket = net.connect(port, "127.0.0.1");
  socket.write(streamEncode(packet));
  let received = Buffer.alloc(0);
  // Its length comes first.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) break;
  }
  const { answers = [], flags = 0 } = streamDecode(received);
  return { answers: answers.filter(({ type }) => type !== "OPT"), status: flags & 15 };
}
