// Tests of contents: each right one has its canonical form, each wrong one is refused. The rule is one function of SQL, which judges all contents here;
// some of each type, and in `npm run test:full` all of them, are sent to the API.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { DnsStage, expectWrongRecord, type Zone } from "./dns-stage.ts";

export interface ContentCases {
  readonly type: string;
  /** Of types that need it. */
  readonly priority?: number;
  /** A content, with its canonical form where that is another. */
  readonly right: readonly (string | readonly [given: string, canonical: string])[];
  readonly wrong: readonly string[];
}

/** What no type takes. */
const NEVER = ["", " ", "\t", "\n", "a\u0001b", "\u007f", "192.0.2.1\n", "a.example\r"];

/** Of each type, how many right ones and how many wrong ones are sent to the API. */
const SENT = byLane({ lane: 2, full: Number.POSITIVE_INFINITY });

/** Defines the tests of some types. */
export function testContents(all: readonly ContentCases[]): void {
  let stage: DnsStage;
  let zone: Zone;
  let made = 0;
  beforeAll(async () => {
    stage = await DnsStage.open();
    zone = await (await stage.customer({ plan: "business" })).zone();
  });
  afterAll(() => stage?.close());

  describe.each(all)("$type", ({ type, priority, right, wrong }) => {
    const draft = (content: string) => ({ name: `name-${++made}`, type, content, priority });

    const rights = right.map((each) => (typeof each === "string" ? ([each, each] as const) : each));
    const wrongs = [...wrong, ...NEVER.filter((each) => type !== "TXT" || each !== " ")];

    /** What the rule says: the canonical form, or the member that is wrong. */
    async function judge(content: string): Promise<{ readonly content?: string; readonly wrong?: string }> {
      const [judged] = await stage.rows<{ content: string; field: string | null }>(
        "select (draft).content, field from dns.judge_record($1, row(null, 'a', $2, $3, 300, $4, false, null)::dns.record_draft)",
        [zone.name, type, content, priority ?? null],
      );
      return judged?.field == null ? { content: judged?.content ?? "" } : { wrong: judged.field };
    }

    test.each(rights)("%j is %j", async (given, canonical) => {
      expect(await judge(given)).toEqual({ content: canonical });
      // The canonical form of the canonical form is itself.
      expect(await judge(canonical)).toEqual({ content: canonical });
    });

    test.each(wrongs)("%j is none", async (content) => {
      expect(await judge(content)).toEqual({ wrong: "content" });
    });

    test.each(rights.slice(0, SENT))("takes %j as %j", async (given, canonical) => {
      const record = await zone.add(draft(given));
      expect(record.content).toBe(canonical);
      const { status, body } = await zone.ask("PUT", `/records/${record.id}`, { content: canonical });
      expect({ status, body }).toEqual({ status: 200, body: record });
      expect(await zone.records(`?name=${record.name}`)).toEqual([record]);
    });

    test.each(wrongs.slice(-SENT))("refuses %j", async (content) => {
      const { name, ...others } = draft(content);
      expectWrongRecord(await zone.post({ name, ...others }), "content");
      expect(await zone.records(`?name=${name}`)).toEqual([]);
    });

    test("refuses what is no text", async () => {
      for (const content of [null, 1, ["192.0.2.1"], {}, undefined]) {
        const { status, body } = await zone.post({ name: "no-text", type, priority, content });
        expect({ status, fields: body.fields }).toMatchObject({ status: 422, fields: [{ field: "content" }] });
      }
    });

    test("refuses wrong contents in PUT, which changes nothing", async () => {
      const [first = ""] = right.flat();
      const record = await zone.add(draft(first));
      const serial = await zone.serial();
      for (const content of [wrong[0] ?? "", ""])
        expectWrongRecord(await zone.ask("PUT", `/records/${record.id}`, { content }), "content");
      expect(await zone.records(`?name=${record.name}`)).toEqual([record]);
      expect(await zone.serial()).toBe(serial);
    });
  });
}
