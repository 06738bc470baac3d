// Where the public DNS delegates a name: issue "DNS hosting II" §1.
import dgram from "node:dgram";
import net from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { observeDelegation } from "../../../src/adapters/resolver/observe-delegation.ts";
import { ParentServers } from "../../../src/adapters/resolver/parent-servers.ts";
import { PublicDns, type PublicDnsOptions } from "../../../src/adapters/resolver/public-dns.ts";
import { DnsWorld, PARENTS, type Says } from "../../support/dns-world.ts";
import { startSteadyClock } from "../../support/steady-clock.ts";

const NAME = "shop.test";
const OWN = ["ns1.selo.test", "ns2.selo.test"];
const OTHER = ["ns.other.test"];

let world: DnsWorld;
let stopClock: () => void;
beforeAll(async () => {
  stopClock = startSteadyClock();
  world = await DnsWorld.start();
});
afterEach(() => {
  world.servers.clear();
  world.resolved.clear();
  world.referrals.clear();
  world.ds.clear();
  world.parents = Object.keys(PARENTS);
  for (const [name, address] of Object.entries(PARENTS)) world.addresses.set(name, [address]);
  world.questions.length = 0;
});
afterAll(async () => {
  await world?.close();
  stopClock();
});

const publicDns = (options: PublicDnsOptions = {}) =>
  new PublicDns({ resolvers: [world.resolver], loopbackPort: world.port, queryMs: 150, taskMs: 600, ...options });
const observe = (name = NAME, options?: PublicDnsOptions, parents = new ParentServers()) =>
  observeDelegation(publicDns(options), parents, name);
const refer = (says: (type: string) => Says) => {
  for (const address of Object.values(PARENTS)) world.servers.set(address, ({ type }) => says(type));
};

describe("the parent", () => {
  test("says it in its referral, and two of its servers are asked without recursion", async () => {
    world.resolved.set(NAME, OWN);
    world.referrals.set(NAME, ["NS2.selo.test.", "ns1.selo.test"]);
    expect(await observe()).toEqual({ resolver_ns: OWN, parent_ns: OWN, is_changing: false, parent_ds: [] });
    const direct = world.questions.filter((each) => each.endsWith(`NS ${NAME}`) && !each.startsWith("127.0.0.1 "));
    expect(new Set(direct).size).toBe(2);
  });

  test("shows its DS records", async () => {
    world.delegate(NAME, OWN);
    world.ds.set(NAME, [{ keyTag: 12345, algorithm: 13, digestType: 2, digest: Buffer.from("ab".repeat(32), "hex") }]);
    expect((await observe()).parent_ds).toEqual([`12345 13 2 ${"AB".repeat(32)}`]);
  });

  test("says nothing where two servers differ, and the delegation is changing", async () => {
    world.referrals.set(NAME, { "a.nic.test": OWN, "b.nic.test": OTHER, "c.nic.test": [] });
    expect(await observe()).toMatchObject({ parent_ns: null, is_changing: true });
  });

  test("needs two servers, and asks others for those that do not answer", async () => {
    world.referrals.set(NAME, { "a.nic.test": "fails", "b.nic.test": OWN, "c.nic.test": OWN });
    expect(await observe()).toMatchObject({ parent_ns: OWN });
    world.referrals.set(NAME, { "a.nic.test": "fails", "b.nic.test": "silent", "c.nic.test": OWN });
    expect(await observe()).toMatchObject({ parent_ns: null, is_changing: false });
  });

  test("with one server alone has no other to agree with", async () => {
    world.parents = ["b.nic.test"];
    world.referrals.set(NAME, OWN);
    expect(await observe()).toMatchObject({ parent_ns: OWN });
  });

  test("may have the zone itself, and answer with authority", async () => {
    refer((type) =>
      type === "NS" ? { aa: true, answers: OWN.map((data) => ({ name: NAME, type: "NS", data })) } : { aa: true },
    );
    expect(await observe()).toMatchObject({ parent_ns: OWN });
  });

  test.each<[string, Says]>([
    ["a referral to another name", { authorities: [{ name: "test", type: "NS", data: "ns1.selo.test" }] }],
    ["an empty answer without authority", {}],
    ["that the name does not exist, without authority", { rcode: 3 }],
    ["a refusal", { rcode: 5 }],
  ])("has not answered with %s", async (_, says) => {
    refer(() => says);
    expect(await observe()).toMatchObject({ parent_ns: null, is_changing: false });
  });

  test("is the nearest zone above, and the names between are not asked where a SOA record names it", async () => {
    const deep = "a.b.c.d.shop.test";
    world.servers.set("127.0.0.1", (asked) => {
      if (asked.type === "NS" && asked.name !== "test" && asked.name !== deep)
        return {
          authorities: [
            { name: "test", type: "SOA", data: { mname: "a.nic.test", rname: "hostmaster.nic.test", serial: 1 } },
          ],
        };
      return world.honest("127.0.0.1", asked);
    });
    world.referrals.set(deep, OWN);
    expect(await observe(deep)).toMatchObject({ parent_ns: OWN });
    expect(world.questions.filter((each) => each.startsWith("127.0.0.1 NS")).toSorted()).toEqual(
      [`127.0.0.1 NS ${deep}`, "127.0.0.1 NS b.c.d.shop.test", "127.0.0.1 NS test"].toSorted(),
    );
  });

  test("with many NS records, of which fifty count", async () => {
    const many = Array.from({ length: 60 }, (_, place) => `ns${place}.other.test`);
    world.delegate(NAME, many);
    const { parent_ns, resolver_ns } = await observe();
    expect([parent_ns?.length, resolver_ns?.length]).toEqual([50, 50]);
    expect(parent_ns).toEqual(many.slice(0, 50).toSorted());
  });

  test("is not where an empty answer's SOA record leads that is of no name above", async () => {
    const deep = "a.b.shop.test";
    for (const name of ["victim.example", "x.a.b.shop.test", "b.shop.test"]) {
      world.questions.length = 0;
      world.servers.set("127.0.0.1", (asked) =>
        asked.type === "NS" && !["test", deep].includes(asked.name)
          ? { authorities: [{ name, type: "SOA", data: { mname: "a.nic.test", rname: "h.nic.test", serial: 1 } }] }
          : world.honest("127.0.0.1", asked),
      );
      world.referrals.set(deep, OWN);
      expect(await observe(deep)).toMatchObject({ parent_ns: OWN });
      expect(world.asked(`NS ${name === "b.shop.test" ? "victim.example" : name}`)).toBe(0);
    }
  });

  test("ten names above a name at most are asked for", async () => {
    world.servers.set("127.0.0.1", (asked) => (asked.type === "NS" ? {} : world.honest("127.0.0.1", asked)));
    await observe(`${"a.".repeat(40)}${NAME}`);
    // Those and the name itself.
    expect(world.questions.filter((each) => each.startsWith("127.0.0.1 NS "))).toHaveLength(11);
  });

  test("is asked for by many names once in five minutes", async () => {
    let now = 0;
    const parents = new ParentServers(() => now);
    for (const name of ["one.test", "two.test"]) await observe(name, {}, parents);
    expect(world.asked("NS test")).toBe(1);
    now = 5 * 60_000 + 1;
    await observe("three.test", {}, parents);
    expect(world.asked("NS test")).toBe(2);
  });
});

describe("the resolver", () => {
  test("says nothing when it fails, is silent or refuses", async () => {
    for (const says of [null, { rcode: 2 }, { rcode: 5 }] as const) {
      world.servers.set("127.0.0.1", () => says);
      expect(await observe()).toEqual({ resolver_ns: null, parent_ns: null, is_changing: false, parent_ds: null });
    }
  });

  test("is followed by the next one when it is silent", async () => {
    world.delegate(NAME, OWN);
    world.servers.set("127.0.0.2", () => null);
    expect(await observe(NAME, { resolvers: [`127.0.0.2:${world.port}`, world.resolver] })).toMatchObject({
      resolver_ns: OWN,
    });
  });

  test("shows no NS record of the name that a CNAME record leads to, or of another name", async () => {
    world.servers.set("127.0.0.1", ({ type }) =>
      type === "NS"
        ? {
            answers: [
              { name: NAME, type: "CNAME", data: "elsewhere.test" },
              { name: "elsewhere.test", type: "NS", data: "ns1.selo.test" },
            ],
          }
        : { rcode: 3 },
    );
    expect(await observe()).toMatchObject({ resolver_ns: [] });
  });
});

describe("a name server of a stranger", () => {
  test.each(["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.2", "0.0.0.0"])(
    "at %s is asked nothing",
    async (address) => {
      const packets: Buffer[] = [];
      const spies = await Promise.all(["127.0.0.1", "127.0.0.2"].map((at) => spy(at, packets)));
      world.addresses.set("a.nic.test", [address]);
      world.parents = ["a.nic.test"];
      world.referrals.set(NAME, OWN);
      world.questions.length = 0;
      // Every question begins so, also one to an address where nobody could listen here.
      const datagrams = vi.spyOn(dgram.Socket.prototype, "connect");
      const streams = vi.spyOn(net.Socket.prototype, "connect");
      expect(await observe(NAME, { loopbackPort: null })).toMatchObject({ parent_ns: null });
      const targets = datagrams.mock.calls.map(([port, host]) => `${host}:${port}`);
      expect([...new Set(targets)]).toEqual([world.resolver]);
      expect(streams).not.toHaveBeenCalled();
      for (const spied of [datagrams, streams]) spied.mockRestore();
      expect(world.questions.filter((each) => each.endsWith(`NS ${NAME}`))).toEqual([`127.0.0.1 NS ${NAME}`]);
      expect(packets).toEqual([]);
      for (const each of spies) each?.close();
    },
  );

  test("with an address that is allowed and one that is not is asked at the first alone", async () => {
    world.addresses.set("a.nic.test", ["169.254.169.254", PARENTS["a.nic.test"]]);
    world.parents = ["a.nic.test"];
    world.referrals.set(NAME, OWN);
    expect(await observe()).toMatchObject({ parent_ns: OWN });
  });
});

describe("a name server whose name is a CNAME record", () => {
  /** The resolver answers the address of a.nic.test with a chain of so many names; the last leads back to the first, or to the address. */
  function chain(length: number, isLoop: boolean): void {
    world.parents = ["a.nic.test"];
    world.referrals.set(NAME, OWN);
    const nameAt = (place: number) => (place === 0 ? "a.nic.test" : `alias${place}.nic.test`);
    world.servers.set("127.0.0.1", (asked) => {
      if (asked.name !== "a.nic.test" || asked.type !== "A") return world.honest("127.0.0.1", asked);
      const aliases = Array.from({ length }, (_, place) => ({
        name: nameAt(place),
        type: "CNAME" as const,
        data: nameAt(isLoop && place === length - 1 ? 0 : place + 1),
      }));
      return { answers: [...aliases, { name: nameAt(length), type: "A", data: PARENTS["a.nic.test"] }] };
    });
  }

  test.each<[string, number, boolean, readonly string[] | null]>([
    ["leads to itself: it is not asked", 1, true, null],
    ["leads back over another: it is not asked", 2, true, null],
    ["leads over eight names to an address: it is asked", 8, false, OWN],
    ["leads over nine names to an address: it is not asked", 9, false, null],
  ])("that %s", async (_, length, isLoop, expected) => {
    chain(length, isLoop);
    expect((await observe()).parent_ns).toEqual(expected);
  });
});

test("fifty tasks run at once, and each ends after its time", async () => {
  let running = 0;
  let most = 0;
  const dns = publicDns({ atOnce: 5 });
  await Promise.all(
    Array.from({ length: 20 }, () =>
      dns.task(async () => {
        running++;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      }),
    ),
  );
  expect(most).toBe(5);
  world.isDead = true;
  // A query alone would wait for longer than a test may take.
  expect(await observe(NAME, { queryMs: 600_000, taskMs: 300 })).toMatchObject({ resolver_ns: null, parent_ns: null });
  world.isDead = false;
});

/** Listens where name servers do, if this user may; without that right nothing can arrive there that the world does not see. */
async function spy(address: string, packets: Buffer[]): Promise<dgram.Socket | null> {
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message) => packets.push(message));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(53, address, resolve);
    });
    return socket;
  } catch {
    return null;
  }
}
