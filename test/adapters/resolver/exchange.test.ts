// One question to one server, which may lie, be slow, or send what nobody can read: issue "DNS hosting II" §1, §8.
import dgram from "node:dgram";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { askServer, NoAnswerError } from "../../../src/adapters/resolver/exchange.ts";
import { type Asked, DnsWorld, encoded, PARENTS, REFUSED, type Says, type Server } from "../../support/dns-world.ts";
import { ownCpu } from "../../support/own-cpu.ts";
import { startSteadyClock } from "../../support/steady-clock.ts";

const NAME = "shop.test";
const ADDRESS = PARENTS["a.nic.test"];
/** Where no server of the world is. */
const SLOW = "127.0.0.8";
const honest = { answers: [{ name: NAME, type: "TXT", data: "true" }] } as const;
const forged = [{ name: NAME, type: "TXT", data: "forged" }] as const;

let world: DnsWorld;
let stopClock: () => void;
beforeAll(async () => {
  stopClock = startSteadyClock();
  world = await DnsWorld.start();
});
afterEach(() => {
  world.servers.clear();
  world.questions.length = 0;
});
afterAll(async () => {
  await world?.close();
  stopClock();
});

const says = (server: Server) => world.servers.set(ADDRESS, server);
const ask = (timeoutMs = 300, recursive = false) =>
  askServer({ host: ADDRESS, port: world.port }, { name: NAME, type: "TXT" }, { recursive, timeoutMs });
const text = async (timeoutMs?: number) =>
  (await ask(timeoutMs)).answers.map((record) => [(record as { data: unknown }).data].flat().join(""));

describe("a question", () => {
  test("has a random id and comes from a random port", async () => {
    const ids: number[] = [];
    says(({ packet }) => {
      ids.push(packet.id ?? -1);
      return honest;
    });
    const ports: number[] = [];
    const spy = dgram.createSocket("udp4");
    await new Promise<void>((resolve) => spy.bind(0, ADDRESS, resolve));
    spy.on("message", (message, from) => {
      ports.push(from.port);
      ids.push(message.readUInt16BE(0));
    });
    const { port } = spy.address() as AddressInfo;
    const silent = () =>
      askServer({ host: ADDRESS, port }, { name: NAME, type: "TXT" }, { recursive: false, timeoutMs: 50 });
    await Promise.allSettled(Array.from({ length: 10 }, silent));
    spy.close();
    for (let count = 0; count < 10; count++) await ask();
    expect(new Set(ports).size).toBeGreaterThan(8);
    // Neither is counted up.
    const steps = (numbers: number[]) => numbers.slice(1).map((each, place) => each - (numbers[place] ?? 0));
    expect(new Set(steps(ids)).size).toBeGreaterThan(10);
    expect(new Set(steps(ports)).size).toBeGreaterThan(3);
  });

  test.each([
    [
      "a label of 63 bytes, 255 bytes in all",
      `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`,
      true,
    ],
    ["a label of 64 bytes", `${"a".repeat(64)}.test`, false],
    ["256 bytes in all", `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(62)}`, false],
    ["what dns-packet reads in a label of 63 bytes 0xff", `${"\ufffd".repeat(63)}.test`, false],
    ["an empty label", "a..test", false],
    ["the root", ".", true],
  ])("for %s: sent, if a message can hold it", async (_, name, isSent) => {
    let sent = 0;
    says(() => {
      sent++;
      return { answers: [] };
    });
    const asking = askServer(
      { host: ADDRESS, port: world.port },
      { name, type: "TXT" },
      { recursive: false, timeoutMs: 300 },
    );
    if (isSent) await asking;
    else await expect(asking).rejects.toThrow(NoAnswerError);
    expect(sent).toBe(Number(isSent));
  });

  test("asks for recursion only where that is meant", async () => {
    const asked: boolean[] = [];
    says(({ isRecursive }) => {
      asked.push(isRecursive);
      return honest;
    });
    await ask();
    await ask(300, true);
    expect(asked).toEqual([false, true]);
  });

  test("is asked over TCP when the answer is truncated", async () => {
    const over: boolean[] = [];
    const long = Array.from({ length: 30 }, (_, place) => ({
      name: NAME,
      type: "TXT" as const,
      data: `${place} ${"x".repeat(200)}`,
    }));
    says(({ overTcp }) => {
      over.push(overTcp);
      return { answers: long, truncated: true };
    });
    expect(await text()).toEqual(long.map(({ data }) => data));
    expect(over).toEqual([false, true]);
  });

  test("is asked without EDNS where a server does not know it", async () => {
    const edns: boolean[] = [];
    says(({ packet }): Says => {
      const has = packet.additionals?.length === 1;
      edns.push(has);
      return has ? { rcode: 1 } : honest;
    });
    expect(await text()).toEqual(["true"]);
    expect(edns).toEqual([true, false]);
  });

  /** A header alone, as of a server that read no more of the query. */
  const header = (id: number, flags: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(id, 0);
    bytes.writeUInt16BE(flags, 2);
    return bytes;
  };
  const ANSWERS = 0x8000;
  const FORMERR = 1;

  test("is asked without EDNS where a server answers FORMERR with the header alone", async () => {
    says(({ packet }): Says => (packet.additionals?.length === 1 ? header(packet.id ?? 0, ANSWERS | FORMERR) : honest));
    expect(await text()).toEqual(["true"]);
  });

  test.each<[string, (id: number) => Buffer]>([
    ["of another id", (id) => header((id + 1) % 65_536, ANSWERS | FORMERR)],
    ["that is no answer", (id) => header(id, FORMERR)],
    ["of another code", (id) => header(id, ANSWERS | 2)],
    ["without an error", (id) => header(id, ANSWERS)],
    ["that is cut off", (id) => header(id, ANSWERS | FORMERR).subarray(0, 11)],
  ])("ignores a header alone %s", async (_, made) => {
    const edns: boolean[] = [];
    says(({ packet }): readonly Says[] => {
      edns.push(packet.additionals?.length === 1);
      return [made(packet.id ?? 0), honest];
    });
    expect(await text()).toEqual(["true"]);
    expect(edns).toEqual([true]);
  });

  test("gets the server's refusal as an answer", async () => {
    says(() => ({ rcode: REFUSED }));
    expect(await ask()).toMatchObject({ status: "REFUSED", answers: [] });
  });
});

describe("what is no answer is ignored, and the true answer behind it counts:", () => {
  test.each<[string, (asked: Asked) => Exclude<Awaited<ReturnType<Server>>, never>]>([
    ["another id", ({ packet }) => ({ answers: forged, forged: { id: ((packet.id ?? 0) + 1) % 65_536 } })],
    [
      "another name in the question",
      () => ({ answers: forged, forged: { questions: [{ name: "other.test", type: "TXT" }] } }),
    ],
    ["another type in the question", () => ({ answers: forged, forged: { questions: [{ name: NAME, type: "A" }] } })],
    [
      "another class in the question",
      () => ({ answers: forged, forged: { questions: [{ name: NAME, type: "TXT", class: "CH" }] } }),
    ],
    ["no question", () => ({ answers: forged, forged: { questions: [] } })],
    ["a query", () => ({ answers: forged, forged: { type: "query" } })],
    ["bytes that are no message", () => Buffer.from("hello")],
    ["no bytes", () => Buffer.alloc(0)],
    ["a header that promises 65,535 records", (asked) => withCounts(asked, 65_535)],
    ["a name that leads to itself", (asked) => looping(asked)],
    [
      "a record that is cut off",
      (asked) => (encoded({ answers: forged }, asked)[0] ?? Buffer.alloc(0)).subarray(0, -3),
    ],
  ])("%s", async (_, lie) => {
    says((asked) => [lie(asked), honest] as never);
    expect(await text()).toEqual(["true"]);
    says(lie);
    await expect(ask(100)).rejects.toThrow(NoAnswerError);
  });

  test("an answer from another address", async () => {
    const stranger = dgram.createSocket("udp4");
    await new Promise<void>((resolve) => stranger.bind(0, "127.0.0.9", resolve));
    const receivers: Promise<unknown>[] = [];
    const target = dgram.createSocket("udp4");
    await new Promise<void>((resolve) => target.bind(0, ADDRESS, resolve));
    target.on("message", (message, from) => {
      const asked = {
        packet: { id: message.readUInt16BE(0), questions: [{ name: NAME, type: "TXT" }] },
        overTcp: false,
      } as never;
      const [lie = Buffer.alloc(0)] = encoded({ answers: forged }, asked);
      const [truth = Buffer.alloc(0)] = encoded(honest, asked);
      receivers.push(
        new Promise<void>((resolve) =>
          stranger.send(lie, from.port, from.address, () =>
            target.send(truth, from.port, from.address, () => resolve()),
          ),
        ),
      );
    });
    const { port } = target.address() as AddressInfo;
    const reply = await askServer(
      { host: ADDRESS, port },
      { name: NAME, type: "TXT" },
      { recursive: false, timeoutMs: 500 },
    );
    expect(reply.answers).toMatchObject([{ data: [Buffer.from("true")] }]);
    await Promise.all(receivers);
    stranger.close();
    target.close();
  });
});

describe("no answer", () => {
  test("comes from a server that is silent, once the time is over", async () => {
    says(() => null);
    const began = performance.now();
    await expect(ask(200)).rejects.toThrow("no answer in time");
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  test("comes at once from a port where no server is", async () => {
    const server = { host: ADDRESS, port: 1 };
    await expect(
      askServer(server, { name: NAME, type: "TXT" }, { recursive: false, timeoutMs: 5_000 }),
    ).rejects.toThrow("no server is there");
  });

  test.each([
    ["is silent", (): Says => null],
    ["sends something else", (): Says => Buffer.from("hello, this is no DNS at all, and long enough")],
    [
      "sends the answer to another question",
      (): Says => ({ answers: forged, forged: { questions: [{ name: "x.test", type: "TXT" }] } }),
    ],
    ["sends a truncated answer again", (): Says => ({ forged: { flags: 1 << 9 } })],
  ] as const)("comes from a server that %s over TCP", async (_, overTcp) => {
    says((asked): Says => (asked.overTcp ? overTcp() : { answers: [], truncated: true }));
    await expect(ask(200)).rejects.toThrow(NoAnswerError);
  });

  test("comes from a TCP answer of 64 KiB, and its reading takes no time", async () => {
    says((asked): Says => (asked.overTcp ? pointers(asked) : { answers: [], truncated: true }));
    const used = await ownCpu(() => expect(ask(1_000)).rejects.toThrow("the answer cannot be used"));
    expect(used).toBeLessThan(900);
  });

  test("comes from a TCP server that never answers, once the time is over", async () => {
    says((asked): Says | Promise<Says> =>
      asked.overTcp ? new Promise<Says>(() => {}) : { answers: [], truncated: true },
    );
    await expect(ask(200)).rejects.toThrow("no answer in time");
  });

  test("comes from a TCP server that sends a byte now and then, once the time is over", async () => {
    const sent: number[] = [];
    const server = net.createServer((connection) => {
      connection.on("error", () => {});
      const timer = setInterval(() => {
        sent.push(performance.now());
        // The length says that the message is never whole.
        connection.write(Buffer.of(255));
      }, 20);
      connection.once("close", () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, SLOW, resolve));
    const { port } = server.address() as AddressInfo;
    const socket = dgram.createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(port, SLOW, resolve));
    socket.on("message", (message, from) => {
      const packet = { id: message.readUInt16BE(0), questions: [{ name: NAME, type: "TXT" }] };
      const [cut = Buffer.alloc(0)] = encoded({ answers: [], truncated: true }, { packet, overTcp: false } as never);
      socket.send(cut, from.port, from.address);
    });
    const closed = new Promise<void>((resolve) =>
      server.once("connection", (connection) => connection.once("close", () => resolve())),
    );
    const began = performance.now();
    const asked = askServer({ host: SLOW, port }, { name: NAME, type: "TXT" }, { recursive: false, timeoutMs: 400 });
    await expect(asked).rejects.toThrow("no answer in time");
    expect(performance.now() - began).toBeGreaterThan(390);
    // It did send, and the connection does not outlive the question.
    expect(sent.length).toBeGreaterThan(2);
    await closed;
    socket.close();
    server.close();
  });

  test.each([
    [500, true],
    [501, false],
  ])("comes from a message of more than 500 records: %i", async (count, isRead) => {
    const answers = Array.from({ length: count }, () => ({ name: ".", type: "A", data: "192.0.2.1" }) as const);
    says(({ overTcp }) => (overTcp ? { answers } : { answers: [], truncated: true }));
    if (isRead) expect((await ask(1_000)).answers).toHaveLength(count);
    else await expect(ask(1_000)).rejects.toThrow("the answer cannot be used");
  });

  test.each([
    [16 * 1024, true],
    [16 * 1024 + 1, false],
  ])("comes from a message of more than 16 KiB: %i bytes", async (bytes, isRead) => {
    says((asked) => {
      if (!asked.overTcp) return { answers: [], truncated: true };
      const padded = (length: number) =>
        encoded({ answers: [{ name: NAME, type: "NULL", data: Buffer.alloc(length) }] }, asked)[0] ?? Buffer.alloc(0);
      return padded(bytes - padded(0).length);
    });
    if (isRead) expect((await ask(1_000)).answers).toHaveLength(1);
    else await expect(ask(1_000)).rejects.toThrow("the answer cannot be used");
  });
});

function withCounts(asked: Asked, count: number): Buffer {
  const [bytes = Buffer.alloc(0)] = encoded({ answers: forged }, asked);
  bytes.writeUInt16BE(count, 6);
  return bytes;
}

/** The name of the answer is a pointer to itself (RFC 1035 §4.1.4). */
function looping(asked: Asked): Buffer {
  const [empty = Buffer.alloc(0)] = encoded({}, asked);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc000 | empty.length, 0);
  record.writeUInt16BE(16, 2);
  record.writeUInt16BE(1, 4);
  empty.writeUInt16BE(1, 6);
  return Buffer.concat([empty, record]);
}

/** 65,535 bytes: a ladder of pointers, and records whose names climb down all of it. */
function pointers(asked: Asked): Buffer {
  const [empty = Buffer.alloc(0)] = encoded({}, asked);
  const bytes = Buffer.alloc(65_535);
  empty.copy(bytes);
  let place = empty.length;
  // Within the data of a first record.
  bytes[place] = 0;
  bytes.writeUInt16BE(16, place + 1);
  bytes.writeUInt16BE(1, place + 3);
  bytes.writeUInt16BE(16_000, place + 9);
  const ladder = place + 11;
  bytes.writeUInt16BE(0xc00c, ladder);
  for (let rung = ladder + 2; rung < ladder + 16_000; rung += 2)
    bytes.writeUInt16BE(0xc000 | ((rung - 2) & 0x3fff), rung);
  place = ladder + 16_000;
  let count = 1;
  for (; place + 12 <= bytes.length; place += 12, count++) {
    bytes.writeUInt16BE(0xc000 | ((ladder + 15_998) & 0x3fff), place);
    bytes.writeUInt16BE(16, place + 2);
    bytes.writeUInt16BE(1, place + 4);
  }
  bytes.writeUInt16BE(count, 6);
  return bytes;
}
