// What a worker locks for ALIAS names, and what it does not wait for: issue "DNS hosting II" §4.
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Customer, Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

let stage: AliasStage;
let one: Customer;
let zone: Zone;
/** Two transactions: one is left open while the other works. */
let first: pg.Client;
let second: pg.Client;
beforeAll(async () => {
  stage = await AliasStage.open();
  one = await stage.customer();
  [first, second] = [await stage.connection(), await stage.connection()];
});
beforeEach(async () => {
  zone = await one.zone();
});
afterAll(async () => {
  expect(await stage?.faults()).toEqual([]);
  await stage?.close();
});

const alias = (content: string, name = "@") => ({ name, type: "ALIAS", content });
const [OLD, NEW] = ["203.0.113.1", "203.0.113.2"];
const answers = (address: string) =>
  JSON.stringify([{ type: "A", status: "found", addresses: [address], ttl: 300, cnames: [] }]);

/** What is left open begins, and ends whatever happens meanwhile. */
async function during(held: string, values: unknown[], meanwhile: () => Promise<void>): Promise<void> {
  await first.query("begin");
  try {
    await first.query(held, values);
    await meanwhile();
  } finally {
    await first.query("commit");
  }
}

describe("while a zone is being changed", () => {
  test("a worker writes down who follows, and claims its names, without waiting", async () => {
    const target = stage.target([OLD]);
    await zone.add(alias(target));
    await stage.run();
    await stage.dns.rows("select jobs.record_alias_target($1, clock_timestamp(), $2)", [target, answers(NEW)]);
    await during("select from dns.zones where id = $1 for update", [zone.body.id], async () => {
      const { rows } = await second.query("select * from jobs.note_alias_followers(100)");
      expect(rows).toEqual([{ noted: 1, held: 0 }]);
      const claimed = await second.query("select zone_id, names from jobs.claim_aliases(100)");
      expect(claimed.rows).toEqual([{ zone_id: zone.body.id, names: [zone.name] }]);
    });
  });

  test("a change stays where the ALIAS itself is being settled, and is followed afterwards", async () => {
    const target = stage.target([OLD]);
    await zone.add(alias(target));
    await stage.run();
    await stage.dns.rows("select jobs.record_alias_target($1, clock_timestamp(), $2)", [target, answers(NEW)]);
    await during("select from dns.aliases where zone_id = $1 for update", [zone.body.id], async () => {
      const { rows } = await second.query("select * from jobs.note_alias_followers(100)");
      expect(rows).toEqual([{ noted: 0, held: 1 }]);
      const claimed = await second.query("select * from jobs.claim_aliases(100)");
      expect(claimed.rows).toEqual([]);
    });
    // It is looked at again after 20 ms.
    await stage.dns.rows("update dns.alias_news set due_at = clock_timestamp()");
    await stage.run();
    expect(await stage.served(zone)).toEqual([`${NEW} 300`]);
  });

  test("a worker that comes meanwhile has the names follow before its run ends", async () => {
    const target = stage.target([OLD]);
    await zone.add(alias(target));
    await stage.run();
    await stage.dns.rows("select jobs.record_alias_target($1, clock_timestamp(), $2)", [target, answers(NEW)]);
    const [news] = await stage.dns.rows<{ due_at: string }>("select due_at::text from dns.alias_news");
    let run = Promise.resolve();
    await during("select from dns.aliases where zone_id = $1 for update", [zone.body.id], async () => {
      run = stage.run();
      await expect
        .poll(() => stage.dns.rows("select from dns.alias_news where due_at > $1", [news?.due_at]))
        .toHaveLength(1);
    });
    await run;
    expect(await stage.served(zone)).toEqual([`${NEW} 300`]);
  });
});

describe("a target that nobody uses any more", () => {
  const unused = async () => {
    const target = stage.target([OLD]);
    const record = await zone.add(alias(target));
    await stage.run();
    await zone.ask("DELETE", `/records/${record.id}`);
    await stage.pass(target);
    return target;
  };
  const claim = "select name from jobs.claim_alias_targets(100, false)";
  const types = async (target: string) => (await stage.targetRows(target)).map(({ type }) => type);

  test("is removed when it is due", async () => {
    const target = await unused();
    expect(await types(target)).toEqual(["A", "AAAA"]);
    await second.query(claim);
    expect(await types(target)).toEqual([]);
  });

  test("stays while somebody begins to follow it, and is asked for again", async () => {
    const target = await unused();
    await during(
      "select dns.add_alias_targets($1, array[$2], clock_timestamp())",
      [one.organization.id, target],
      async () => {
        await second.query(claim);
      },
    );
    expect(await types(target)).toEqual(["A", "AAAA"]);
    stage.world.addresses.set(target, [NEW]);
    await zone.add(alias(target));
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${NEW} 300`]);
  });

  test("comes back when somebody begins to follow it while a worker removes it", async () => {
    const target = await unused();
    stage.world.addresses.set(target, [NEW]);
    let added: Promise<unknown> = Promise.resolve();
    await during(claim, [], async () => {
      added = zone.add(alias(target));
      await expect
        .poll(() =>
          stage.dns.rows(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          ),
        )
        .toHaveLength(1);
    });
    await added;
    await stage.refresh(target);
    expect(await types(target)).toEqual(["A", "AAAA"]);
    expect(await stage.served(zone)).toEqual([`${NEW} 300`]);
  });

  test("is not half removed where somebody holds one of its types", async () => {
    const target = await unused();
    await during(
      "select from dns.alias_targets where name = $1 and type = 'AAAA' for key share",
      [target],
      async () => {
        await second.query(claim);
      },
    );
    expect(await types(target)).toEqual(["A", "AAAA"]);
  });
});

describe("two workers", () => {
  test("do not take one type each of a target", async () => {
    const target = stage.target([OLD]);
    await zone.add(alias(target));
    await stage.pass(target);
    const claim = "select name from jobs.claim_alias_targets(100, false) where name = $1";
    await during(
      "select from dns.alias_targets where name = $1 and type = 'A' for no key update",
      [target],
      async () => {
        expect((await second.query(claim, [target])).rows).toEqual([]);
      },
    );
    expect((await second.query(claim, [target])).rows).toEqual([{ name: target }]);
    expect((await second.query(claim, [target])).rows).toEqual([]);
  });
});

describe("jobs", () => {
  const jobs = () =>
    stage.dns.rows<{ is_due: boolean }>(
      `select job.run_at <= now() as is_due from graphile_worker.jobs as job where job.task_identifier = 'dns__resolve_aliases' order by job.run_at`,
    );
  beforeEach(async () => {
    await stage.dns.rows(
      "select graphile_worker.remove_job(key) from graphile_worker.jobs where task_identifier = 'dns__resolve_aliases'",
    );
  });

  test("a job for later does not put off a job for now, and a transaction has one of each", async () => {
    await second.query("begin");
    for (const delay of [null, "2 seconds", null, "2 seconds"])
      await second.query("select dns.resolve_later($1::interval)", [delay]);
    await second.query("commit");
    expect(await jobs()).toEqual([{ is_due: true }, { is_due: false }]);
    await second.query("select dns.resolve_later('2 seconds')");
    expect((await jobs()).filter(({ is_due }) => is_due)).toHaveLength(1);
  });

  test("transactions that add a job do not wait for each other", async () => {
    await during("select dns.resolve_later(), dns.resolve_later('2 seconds')", [], async () => {
      await second.query("select dns.resolve_later(), dns.resolve_later('2 seconds')");
    });
    expect(await jobs()).toHaveLength(4);
  });
});
