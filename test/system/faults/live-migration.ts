import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource, type SqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { PATIENCE_MS } from "../../../src/postgres/patience.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

const CLIENTS = 16;

/** A test of a gateway under load through so many repeatable steps. */
export function testLiveMigration(steps: number): void {
  let selo: TestGateway;
  let organization: TestOrganization;
  beforeAll(async () => {
    selo = await startTestGateway();
    organization = await selo.newOrganization({ credits: 1_000_000 });
  });
  afterAll(() => selo.stop());

  /** The same functions and views, but another text, so that the repeatable step makes them anew. */
  function reworded(step: number): SqlSource {
    const source = readSqlSource();
    const [first, ...rest] = source.repeatable;
    if (first === undefined) throw new Error("sql/ holds no repeatable file");
    return { ...source, repeatable: [{ ...first, text: `${first.text}-- step ${step}\n` }, ...rest] };
  }

  test("a gateway under load goes on through repeatable steps: no request fails, no proof is lost or doubled", async () => {
    const failures: string[] = [];
    const registered = new Map<string, string>();
    let requests = 0;
    let stepping = true;

    const ask = async (path: string, init: RequestInit = {}) => {
      requests++;
      const asked = performance.now();
      const answer = await fetch(`${selo.baseUrl}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json", ...init.headers },
      });
      const body = await answer.text();
      // A machine so slow that a step takes as long as a caller is kept waiting: refused, and not wrongly.
      const isLate = answer.status === 503 && performance.now() - asked >= PATIENCE_MS;
      if (!answer.ok && !isLate) failures.push(`${init.method ?? "GET"} ${path}: ${answer.status} ${body}`);
      return { status: answer.status, body: answer.ok ? (JSON.parse(body) as { id: string; total: number }) : null };
    };
    const client = async (which: number) => {
      for (let round = 0; stepping; round++) {
        const sha256 = createHash("sha256").update(`${which} ${round}`).digest("hex");
        const posted = await ask("/proofs", {
          method: "POST",
          body: JSON.stringify({ sha256, label: `client ${which}` }),
          // Every other request carries a key: both ways through gateway.call.
          headers: round % 2 === 0 ? { "idempotency-key": randomUUID() } : {},
        });
        if (posted.body === null) continue;
        if (posted.status !== 201) failures.push(`POST of a new digest: ${posted.status}`);
        registered.set(sha256, posted.body.id);
        const read = await ask(`/proofs/${posted.body.id}`);
        if (read.body !== null && read.body.id !== posted.body.id) failures.push("GET answered another proof");
        if (round % 4 === 0) await ask(`/proofs?search=${sha256.slice(0, 12)}`);
        if (round % 4 === 1) await ask("/proofs?limit=5");
        if (round % 4 === 2) await ask("/public/platform-key");
      }
    };

    const clients = Array.from({ length: CLIENTS }, (_, which) => client(which));
    try {
      for (let step = 0; step < steps; step++) {
        const before = requests;
        // Traffic between the steps as well as during them.
        await expect.poll(() => requests - before, { timeout: 20_000 }).toBeGreaterThan(4 * CLIENTS);
        const applied = await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [], source: reworded(step) });
        expect(applied).toEqual(["repeatable"]);
      }
    } finally {
      stepping = false;
      await Promise.all(clients);
    }

    expect(
      failures.slice(0, 5).concat(selo.logs.filter((line) => line.includes("request failed")).slice(0, 5)),
    ).toEqual([]);
    expect(registered.size).toBeGreaterThan(steps * CLIENTS);
    const kept = await selo.database.admin.query<{ proofs: number; ledger: number; codes: number }>(`
    select (select count(*)::integer from signature.proofs) as proofs,
      (select -sum(amount)::integer from platform.credit_ledger where amount < 0) as ledger,
      (select count(*)::integer from platform.public_codes) as codes`);
    expect(kept.rows[0]).toEqual({ proofs: registered.size, ledger: registered.size, codes: registered.size });
  }, 120_000);
}
