// Reads of GraphQL: a transaction in one round trip, over connections that keep statements prepared.

import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import type { WithPgClient } from "postgraphile/@dataplan/pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import { Actors } from "../../src/postgres/actors.ts";
import { MOST_KEPT } from "../../src/postgres/kept-statements.ts";
import { KnownReads } from "../../src/postgres/known-reads.ts";
import { PipelinedReads, statementOf } from "../../src/postgres/pipelined-reads.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { readService } from "../../src/postgres/read-service.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

let pool: pg.Pool;
let admitted: number;
let actors: Actors;
let read: (text: string, token?: string | null, values?: unknown[]) => Promise<unknown[]>;
beforeEach(async () => {
  pool = createPool({ url: selo.database.appUrl, role: null, applicationName: "test" }, 2, () => {});
  admitted = 0;
  actors = new Actors();
  const service = readService(pool, actors);
  const withPgClient = (await service.adaptor.createWithPgClient(undefined as never)) as WithPgClient;
  read = async (text, token = organization.test, values = []) => {
    const reader = {
      credentialHash: token === null ? null : sha256(token),
      origin: { requestId: randomUUID(), address: "127.0.0.1", channel: "graphql" as const },
      admit: () => void admitted++,
    };
    const { rows } = await withPgClient(service.pgSettings({ reader }), (client) => client.query({ text, values }));
    return [...rows];
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.end();
});

const sha256 = (token: string): Buffer => createHash("sha256").update(token).digest();

const TENANT = "select platform.tenant_id() as id";

/** A read of it waits as long as {@link whileLocked} does something. */
const LOCK = "pg_advisory_xact_lock_shared(1)";

/**
 * Holds the lock while `act` begins reads that wait for it, and then waits for these.
 * @param act gets a function that counts the waiting reads
 */
async function whileLocked(
  act: (waiting: () => Promise<number>) => Promise<readonly Promise<unknown>[]>,
): Promise<void> {
  const holder = await selo.database.admin.connect();
  const waiting = async () =>
    (
      await holder.query(
        "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      )
    ).rowCount ?? 0;
  try {
    await holder.query("select pg_advisory_lock(1)");
    const reads = await act(waiting);
    await holder.query("select pg_advisory_unlock(1)");
    await Promise.all(reads);
  } finally {
    holder.release(true);
  }
}

test("a read is its actor's, in a transaction that writes nothing and ends", async () => {
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(await read("show transaction_read_only")).toEqual([{ transaction_read_only: "on" }]);
  await expect.poll(() => pool.idleCount).toBe(1);
  const { rows } = await pool.query(`${TENANT}, pg_current_xact_id_if_assigned() is null as wrote_nothing`);
  expect(rows).toEqual([{ id: null, wrote_nothing: true }]);
});

test("a read is one round trip", async () => {
  let roundTrips = 0;
  pool.on("connect", (client) => {
    const { connection } = client as unknown as pg.Client;
    connection.on("readyForQuery", () => roundTrips++);
  });
  await read(TENANT);
  // The first read of all asks the catalog, too.
  const asked = roundTrips;
  await read(TENANT);
  await read(TENANT);
  expect(roundTrips).toBe(asked + 2);
});

test("an actor has half of the connections at once: the others stay another's", async () => {
  const other = await selo.newOrganization();
  await whileLocked(async (waiting) => {
    const slow = ["1", "2"].map((each) => read(`select ${each} as of_one_actor from ${LOCK}`));
    // With both connections they would keep this one waiting.
    expect(await read(TENANT, other.test)).toEqual([{ id: other.id }]);
    await expect.poll(waiting).toBe(1);
    return slow;
  });
});

test("a connection that ends is given up, and what was read over it is told to be unavailable", async () => {
  const failed = await read("select pg_terminate_backend(pg_backend_pid())").catch((error: unknown) => error);
  expect(failed).toMatchObject({ status: 503 });
  expect(pool.totalCount).toBe(0);
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
});

test("a connection that Postgres has just given up goes to nobody who waits", async () => {
  const held = await pool.connect();
  try {
    let failing: Promise<unknown> | undefined;
    let next: Promise<pg.QueryResult> | undefined;
    await whileLocked(async (waiting) => {
      const ending = `select pg_terminate_backend(pg_backend_pid()) from ${LOCK}`;
      failing = read(ending).catch((error: unknown) => error);
      await expect.poll(waiting).toBe(1);
      next = pool.query("select 1 as number");
      expect(pool.waitingCount).toBe(1);
      return [];
    });
    expect(await failing).toMatchObject({ status: 503 });
    expect((await next)?.rows).toEqual([{ number: 1 }]);
  } finally {
    held.release();
  }
});

test("a connection that a statement left in a transaction is given up", async () => {
  await read("begin");
  expect(pool.totalCount).toBe(0);
});

test("values that are no text, number or buffer never reach a connection", async () => {
  await expect(read("select $1::jsonb", organization.test, [{}])).rejects.toThrow(TypeError);
  expect(pool.totalCount).toBe(0);
  expect(await read("select $1::int + $2::int as sum", organization.test, [1, "2"])).toEqual([{ sum: 3 }]);
});

describe("statements that are kept", () => {
  const prepared = async () =>
    (await pool.query<{ statement: string }>("select statement from pg_prepared_statements")).rows;

  test("each is prepared when it comes again, once, by a name that no other connection has", async () => {
    await read(TENANT);
    expect(await prepared()).toEqual([]);
    for (let time = 0; time < 3; time++) await read(TENANT);
    expect((await prepared()).filter(({ statement }) => statement === TENANT)).toHaveLength(1);
    const names = "select name from pg_prepared_statements";
    const other = await selo.newOrganization();
    const askBoth = () => Promise.all([read(`${names}, pg_sleep(0.2)`), read(`${names}, pg_sleep(0.2)`, other.test)]);
    await askBoth();
    const both = await askBoth();
    expect(pool.totalCount).toBe(2);
    const [one = [], another = []] = both.map((rows) => rows.map((row) => (row as { name: string }).name));
    expect(one.length).toBeGreaterThan(0);
    expect(another.length).toBeGreaterThan(0);
    expect(one.filter((name) => another.includes(name))).toEqual([]);
  });

  test("a connection keeps those used last", async () => {
    await read(TENANT);
    for (let each = 0; each < MOST_KEPT + 10; each++) {
      await read(`select ${each} as number`);
      await read(`select ${each} as number`);
      if (each % 10 === 0) await read(TENANT);
    }
    const kept = (await prepared()).map(({ statement }) => statement);
    // The one that was pushed out last leaves with the next read.
    expect(kept.length).toBeLessThanOrEqual(MOST_KEPT + 1);
    expect(kept.length).toBeGreaterThanOrEqual(MOST_KEPT);
    expect(kept).toContain(TENANT);
    expect(kept).not.toContain("select 5 as number");
  });

  test("what fails leaves nothing that is in the way of another", async () => {
    for (let time = 0; time < 3; time++) {
      await expect(read("select 1 / 0")).rejects.toThrow("division by zero");
      await expect(read("select")).resolves.toEqual([{}]);
      await expect(read("selec 1")).rejects.toThrow("syntax error");
      await read(TENANT, "selo_test_nobody").catch(() => {});
    }
    expect(pool.totalCount).toBe(1);
    expect((await prepared()).length).toBeLessThanOrEqual(6);
    expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  });

  test("a view with other columns is read as it is now, over every connection", async () => {
    const admin = new pg.Client({ connectionString: selo.database.adminUrl });
    await admin.connect();
    try {
      const view = async (columns: string) =>
        admin.query(
          `drop view if exists public.kept; create view public.kept as select ${columns}; grant select on public.kept to public`,
        );
      await view("1 as number");
      const text = "select *, pg_sleep(0.1)::text as slept from public.kept";
      const readTwice = async () => {
        const other = await selo.newOrganization();
        const rows = await Promise.all([read(text), read(text, other.test)]);
        return rows.flat().map((row) => (row as { number: unknown }).number);
      };
      expect(await readTwice()).toEqual([1, 1]);
      expect(await readTwice()).toEqual([1, 1]);
      expect(pool.totalCount).toBe(2);
      await view("'one' as number");
      expect(await readTwice()).toEqual(["one", "one"]);
      await view("'two' as number");
      expect(await readTwice()).toEqual(["two", "two"]);
    } finally {
      await admin.query("drop view if exists public.kept");
      await admin.end();
    }
  });

  test("what reads partitions is not: its plan grows with them", async () => {
    const deliveries = "select count(*) from api.webhook_deliveries";
    for (let time = 0; time < 3; time++) await read(deliveries);
    expect(await prepared()).toEqual([]);
    for (let time = 0; time < 3; time++) await read("select count(*) from api.proofs");
    expect((await prepared()).map(({ statement }) => statement)).toContain("select count(*) from api.proofs");
  });

  test("behind a pooler that loses them, reads go on without", async () => {
    await read(TENANT);
    await read(TENANT);
    expect(await prepared()).not.toEqual([]);
    // As where another connection to Postgres gets the next transaction.
    await pool.query("deallocate all");
    expect(await read(TENANT)).toEqual([{ id: organization.id }]);
    expect(await read(TENANT)).toEqual([{ id: organization.id }]);
    expect(await prepared()).toEqual([]);
    expect(pool.totalCount).toBe(1);
  });
});

test("a statement that fails is told, its token admitted, and its connection used again", async () => {
  await expect(read("select 1 / 0")).rejects.toThrow("division by zero");
  expect(admitted).toBe(1);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(pool.totalCount).toBe(1);
});

test("a token that is not good reads nothing and is not admitted", async () => {
  const refused = await read(TENANT, "selo_test_nobody").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ status: 401 });
  expect(admitted).toBe(0);
});

test("a transient failure is tried again, on a single connection", async () => {
  let failures = 2;
  const { run } = PipelinedReads.prototype;
  vi.spyOn(PipelinedReads.prototype, "run").mockImplementation(function (this: PipelinedReads, ...args) {
    const replaced = new PipelinedReads(
      [
        {
          begin: statementOf("select"),
          statement: statementOf("select from api.replaced_just_now"),
          isKept: false,
        },
      ],
      undefined,
    );
    return Reflect.apply(run, failures-- > 0 ? replaced : this, args);
  });
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(failures).toBe(-1);
  expect(pool.totalCount).toBe(1);
});

describe("quick reads of one actor that come while its turns are taken", () => {
  const SLOW = "select pg_sleep(0.3)::text as slept";
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);
  /** How many reads each message had that was sent meanwhile. */
  async function messages(ask: () => Promise<unknown>): Promise<number[]> {
    const run = vi.spyOn(PipelinedReads.prototype, "run");
    await ask();
    return (run.mock.contexts as unknown as PipelinedReads[]).map(({ reads }) => reads.length);
  }
  /** The pool has two connections, so an actor has one turn. */
  const whileBusy = async (ask: () => Promise<unknown>): Promise<number[]> =>
    messages(async () => {
      const busy = read(SLOW);
      await Promise.all([ask(), busy]);
    });
  /** A read that Postgres answers at once was quick, however busy the machine is. */
  beforeEach(() => {
    const { took } = KnownReads.prototype;
    vi.spyOn(KnownReads.prototype, "took").mockImplementation(function (this: KnownReads, text, milliseconds) {
      took.call(this, text, text === SLOW ? milliseconds : 0);
    });
  });
  /** Reads a text that is known as quick from then on. */
  const quick = (text: string, values: unknown[]): Promise<unknown[]> => read(text, organization.test, values);
  const NUMBER = "select $1::int as number";

  test("leave in one message, each with its own answer", async () => {
    await quick(NUMBER, [0]);
    let answers: unknown[] = [];
    const sent = await whileBusy(async () => {
      answers = await Promise.all(numbers(7).map((number) => read(NUMBER, organization.test, [number])));
    });
    expect(sent).toEqual([1, 7]);
    expect(answers).toEqual(numbers(7).map((number) => [{ number }]));
    expect(admitted).toBe(9);
  });

  test("are at most ten in a message", async () => {
    await quick(NUMBER, [0]);
    const sent = await whileBusy(() =>
      Promise.all(numbers(25).map((number) => read(NUMBER, organization.test, [number]))),
    );
    expect(sent).toEqual([1, 10, 10, 5]);
  });

  test("leave without those of others, of texts that nobody read before, and of texts that took long", async () => {
    const other = await selo.newOrganization();
    await quick(NUMBER, [0]);
    await read(SLOW);
    const sent = await whileBusy(() =>
      Promise.all([
        read(NUMBER, organization.test, [1]),
        read(NUMBER, other.test, [2]),
        read(SLOW),
        read("select 3 as number"),
        read(NUMBER, organization.test, [4]),
      ]),
    );
    expect(sent.toSorted()).toEqual([1, 1, 1, 1, 2]);
  });

  test("are each begun by their own credential", async () => {
    const other = await selo.newOrganization();
    for (const token of [organization.test, other.test, "selo_test_nobody"]) actors.learn(sha256(token), "one actor");
    await quick(TENANT, []);
    let answers: unknown[] = [];
    const sent = await whileBusy(async () => {
      answers = await Promise.all([
        read(TENANT, other.test),
        read(TENANT),
        read(TENANT, "selo_test_nobody").catch((error: AppError) => error.status),
        read(TENANT, other.test),
      ]);
    });
    expect(answers).toEqual([[{ id: other.id }], [{ id: organization.id }], 401, [{ id: other.id }]]);
    expect(sent).toEqual([1, 4, 1]);
    // Admitted are the three reads with valid tokens, the quick read before, and the slow read.
    expect(admitted).toBe(5);
  });

  test("fail alone", async () => {
    const inverse = "select 12 / $1::int as number";
    await quick(inverse, [1]);
    let answers: unknown[] = [];
    const sent = await whileBusy(async () => {
      answers = await Promise.all(
        [1, 0, 2, 0, 3].map((by) => read(inverse, organization.test, [by]).catch((error: Error) => error.message)),
      );
    });
    expect(answers).toEqual([
      [{ number: 12 }],
      "division by zero",
      [{ number: 6 }],
      "division by zero",
      [{ number: 4 }],
    ]);
    expect(sent).toEqual([1, 5, 3, 1]);
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  });

  test("have a second each when they travel together, and then their whole time alone", async () => {
    const slept = "select pg_sleep($1::float8)::text as slept, $2::int as number";
    await quick(slept, [0, 0]);
    let answers: unknown[] = [];
    const sent = await whileBusy(async () => {
      answers = await Promise.all(
        [0, 1.3, 0, 0].map((seconds, number) => read(slept, organization.test, [seconds, number])),
      );
    });
    expect(answers).toEqual([0, 1, 2, 3].map((number) => [{ slept: "", number }]));
    // The first is answered with the four, and read no second time.
    expect(sent).toEqual([1, 4, 1, 1, 1]);
    expect(await read("show statement_timeout")).toEqual([{ statement_timeout: "0" }]);
  });

  test("with a row that pg cannot read are all told so, and their connection is given up", async () => {
    await quick(NUMBER, [0]);
    const unreadable = "select 'broken'::text as number where $1::int = 1";
    await quick(unreadable, [0]);
    const parser = vi.spyOn(pg.types, "getTypeParser");
    parser.mockImplementation((() => (text: string) => {
      if (text === "broken") throw new Error("cannot be read");
      return text;
    }) as unknown as typeof pg.types.getTypeParser);
    let answers: unknown[] = [];
    await whileBusy(async () => {
      answers = await Promise.all(
        [
          read(NUMBER, organization.test, [1]),
          read(unreadable, organization.test, [1]),
          read(NUMBER, organization.test, [3]),
        ].map((each) => each.catch((error: AppError) => error.status)),
      );
    });
    expect(answers).toEqual([503, 503, 503]);
    expect(pool.totalCount).toBe(0);
  });

  test("are unavailable with their connection, but for those that were answered before", async () => {
    const ending = "select case when $1 then pg_terminate_backend(pg_backend_pid()) end as ended";
    await quick(ending, [false]);
    let answers: unknown[] = [];
    await whileBusy(async () => {
      answers = await Promise.all(
        [true, false, false].map((ends) =>
          read(ending, organization.test, [ends]).catch((error: AppError) => error.status),
        ),
      );
    });
    expect(answers).toEqual([503, 503, 503]);
    expect(pool.totalCount).toBe(0);
    expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  });
});
