// Results of attempts outlive whatever Postgres may do again, and one it does not take keeps no other from being written.

import pg from "pg";
import { describe, expect, test } from "vitest";
import { AppError, unavailable } from "../../../src/errors/app-error.ts";
import { createLogger } from "../../../src/main/log.ts";
import type { AttemptResult } from "../../../src/services/webhooks/store.ts";
import { Results } from "../../../workers/webhooks/dispatcher/results.ts";

const result = (id: string): AttemptResult => ({
  tenant_id: "t",
  delivery_id: id,
  attempt_id: id,
  url: "https://example.com/",
  requested_at_ms: 0,
  duration_ms: 0,
  response_status: 200,
  response_body: "",
});

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("no", 1, "error"), { code });
}

/** Keeps what it is given unless it throws what the test says. */
function database(fault: (results: readonly AttemptResult[], calls: number) => unknown) {
  const written: string[] = [];
  let calls = 0;
  const recordAttempts = async (results: readonly AttemptResult[]) => {
    calls += 1;
    const error = fault(results, calls);
    if (error) throw error;
    written.push(...results.map(({ attempt_id }) => attempt_id));
    return results.length;
  };
  return { written, recordAttempts };
}

async function write(jobs: ReturnType<typeof database>, count: number): Promise<Results> {
  const results = new Results(jobs, createLogger("silent"));
  for (let made = 0; made < count; made++) results.add(result(String(made)));
  await results.finish(10_000);
  return results;
}

const all = (count: number) => Array.from({ length: count }, (_, place) => String(place));

describe("results", () => {
  test("that come together are written together, at most 500 of them", async () => {
    const sizes: number[] = [];
    const jobs = database((results) => void sizes.push(results.length));
    await write(jobs, 1_200);
    expect(sizes).toEqual([500, 500, 200]);
    expect(jobs.written).toEqual(all(1_200));
  });

  test.each([
    ["Postgres cannot be reached", () => unavailable(new Error("refused"))],
    ["there was a deadlock", () => databaseError("40P01")],
    ["the function is just being replaced", () => databaseError("42883")],
  ])("are kept and written again while %s", async (_what, error) => {
    const jobs = database((_results, calls) => (calls <= 3 ? error() : null));
    await write(jobs, 5);
    expect(jobs.written).toEqual(all(5));
  });

  test.each([
    ["a value it cannot read", () => new AppError(422, "invalid_request", "a value is not valid")],
    ["a row that breaks a check", () => databaseError("23514")],
  ])("one that Postgres does not take, for %s, is given up alone", async (_what, error) => {
    const jobs = database((results) => (results.some(({ attempt_id }) => attempt_id === "3") ? error() : null));
    const results = await write(jobs, 7);
    expect(jobs.written).toEqual(all(7).filter((id) => id !== "3"));
    expect(results.waiting).toBe(0);
  });
});
