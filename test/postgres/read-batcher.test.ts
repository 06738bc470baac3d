// Reads that arrive together travel together; what becomes of one is nobody else's affair.
import pg from "pg";
import { expect, test } from "vitest";
import { AppError } from "../../src/errors/app-error.ts";
import type { Answer, Call, Caller } from "../../src/postgres/call.ts";
import { decodeDatabaseError } from "../../src/postgres/errors.ts";
import { ReadBatcher } from "../../src/postgres/read-batcher.ts";

const origin = { requestId: "", address: "", channel: "rest" } as const;
const callOf = (id: string): Call => ({ credentialHash: null, command: "get_proof", arguments: { id }, origin });
const idOf = ({ arguments: { id } }: Call) => String(id);
const answerTo = (call: Call): Answer => ({ status: 200, body: idOf(call), replayed: false });
const refusal = { code: "PT404", message: "none", detail: '{"code": "not_found"}' };

function timeout(): unknown {
  const error = new pg.DatabaseError("canceling statement due to statement timeout", 0, "error");
  error.code = "57014";
  return decodeDatabaseError(error);
}

/** Answers when told to; `sent` holds the ids of each round trip. */
function slowCaller(fails: (ids: readonly string[]) => unknown = () => null) {
  const sent: string[][] = [];
  const opened = Promise.withResolvers<void>();
  const trip = async (calls: readonly Call[]) => {
    sent.push(calls.map(idOf));
    await opened.promise;
    const error = fails(calls.map(idOf));
    if (error !== null) throw error;
  };
  const caller: Caller = {
    async call(call) {
      await trip([call]);
      return answerTo(call);
    },
    async callMany(calls) {
      await trip(calls);
      return calls.map((call) => (idOf(call) === "missing" ? { failure: refusal } : answerTo(call)));
    },
  };
  return { caller, sent, open: () => opened.resolve() };
}

test("the first are sent at once, each by itself; whoever comes meanwhile travels together", async () => {
  const { caller, sent, open } = slowCaller();
  const batcher = new ReadBatcher(caller);
  const answers = ["1", "2", "3", "4", "5", "missing"].map((id) => batcher.read(callOf(id)));
  expect(sent).toEqual([["1"], ["2"], ["3"]]);
  open();
  const settled = await Promise.allSettled(answers);
  expect(sent.slice(3)).toEqual([["4", "5", "missing"]]);
  expect(settled.slice(0, 5).map((each) => each.status === "fulfilled" && each.value.body)).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
  ]);
  const [missing] = settled.slice(5);
  expect(missing?.status === "rejected" && missing.reason).toMatchObject({ status: 404, code: "not_found" });
});

test("one that takes too long fails alone, not those that travelled with it", async () => {
  const { caller, open } = slowCaller((ids) => (ids.includes("slow") ? timeout() : null));
  const batcher = new ReadBatcher(caller);
  const answers = ["1", "2", "3", "4", "slow", "5"].map((id) => batcher.read(callOf(id)));
  open();
  const settled = await Promise.allSettled(answers);
  expect(settled.map(({ status }) => status)).toEqual([...Array<string>(4).fill("fulfilled"), "rejected", "fulfilled"]);
  const slow = settled[4];
  expect(slow?.status === "rejected" && slow.reason instanceof AppError && slow.reason.status).toBe(503);
});
