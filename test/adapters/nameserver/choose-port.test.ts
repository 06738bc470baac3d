// The port of the nameserver of `npm start`.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { chooseDnsPort } from "../../../src/adapters/nameserver/choose-port.ts";
import { anyFreePort } from "../../../src/adapters/programs/free-port.ts";

const HOST = "127.0.0.1";
const FROM_5300 = /^5[34]\d\d$/;
const held: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of held.splice(0)) each.close();
});

async function holdUdp(port: number): Promise<void> {
  const socket = createSocket("udp4").bind(port, HOST);
  held.push(socket);
  await once(socket, "listening");
}

async function holdTcp(port: number): Promise<void> {
  const server = createServer().listen(port, HOST);
  held.push(server);
  await once(server, "listening");
}

test("is the kept one while it is free", async () => {
  const kept = await anyFreePort();
  expect(await chooseDnsPort([HOST], kept)).toBe(kept);
});

test.each([
  ["UDP", holdUdp],
  ["TCP", holdTcp],
])("is one from 5300 on where another program holds the kept one over %s", async (_, hold) => {
  const kept = await anyFreePort();
  await hold(kept);
  expect(String(await chooseDnsPort([HOST], kept))).toMatch(FROM_5300);
});

test("is one from 5300 on where none was kept, and never that of mDNS", async () => {
  const first = await chooseDnsPort([HOST], null);
  expect(String(first)).toMatch(FROM_5300);
  expect(await chooseDnsPort([HOST], 5353)).not.toBe(5353);
});
