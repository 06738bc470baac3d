// Limits that columns repeat, which no migration derives: both are asked at the borders, and must agree. limits.test.ts asks all others.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limits } from "../../../src/postgres/command.ts";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { checkedKey } from "../../../src/surfaces/http/idempotency.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("the Idempotency-Key header and the column that keeps it", () => {
  const keys: [string, string, boolean][] = [
    ["empty", "", false],
    ["of 1", "a", true],
    ["of 254", "a".repeat(254), true],
    ["of 255", "a".repeat(255), true],
    ["of 256", "a".repeat(256), false],
    ["of 255 with one that is not visible", `${"a".repeat(254)} `, false],
    ["a space", " ", false],
    ["with a space inside", "a b", false],
    ["the first visible, !", "!", true],
    ["the last visible, ~", "~", true],
    ["DEL", "\x7f", false],
    ["a control character", "a\x1f", false],
    ["a tab", "\t", false],
    ["with a line feed at its end", "a\n", false],
    ["with a line feed before", "\na", false],
    ["a letter beyond ASCII", "é", false],
    ["quotes and backslash", "\"'\\", true],
  ];
  test.each(keys)("agree: %s", async (_, key, good) => {
    const bySql = await database.admin
      .query(
        "insert into platform.idempotency_keys (tenant_id, environment, key, request_hash) values ($1, 'live', $2, sha256(''))",
        [randomUUID(), key],
      )
      .then(() => true)
      .catch((error: { code?: string }) => {
        expect(error.code).toBe("23514");
        return false;
      });
    let byHeader = true;
    try {
      checkedKey(key);
    } catch (error) {
      expect(error).toMatchObject({ status: 422, fields: [{ field: "Idempotency-Key" }] });
      byHeader = false;
    }
    expect({ bySql, byHeader }).toEqual({ bySql: good, byHeader: good });
  });
});

describe("the columns of webhooks.endpoints and what createWebhook takes", () => {
  const { url, event_types, description } = commands.create_webhook.arguments;
  const address = (length: number) => "https://example.com/".padEnd(length, "a");
  const good = { url: address(30), event_types: ["*"], description: null };

  test.each<[string, { url?: string; event_types?: string[]; description?: string }, string[]]>([
    ["the longest url", { url: address(url.maxLength) }, []],
    ["a url of one more", { url: address(url.maxLength + 1) }, ["url"]],
    ["the fewest kinds", { event_types: Array(event_types.minItems).fill("*") }, []],
    ["one kind less", { event_types: Array(event_types.minItems - 1).fill("*") }, ["event_types"]],
    ["the longest description", { description: "a".repeat(description.maxLength) }, []],
    ["the longest description, astral", { description: "😀".repeat(description.maxLength) }, []],
    ["a description of one more", { description: "a".repeat(description.maxLength + 1) }, ["description"]],
    ["a description of one more, astral", { description: "😀".repeat(description.maxLength + 1) }, ["description"]],
  ])("agree: %s", async (_, change, refused) => {
    const tenant = randomUUID();
    const input = { ...good, ...change };
    const client = await database.admin.connect();
    try {
      await client.query("begin");
      // Nobody's webhook: whose it is, is not what is asked here.
      await client.query("set local session_replication_role = replica");
      const bySql = await client
        .query(
          "insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, description, sealed_secret) values ($1, $1, 'live', $2, $3, $4, '')",
          [tenant, input.url, input.event_types, input.description],
        )
        .then(() => [])
        .catch((error: { code?: string; constraint?: string }) => {
          expect(error.code).toBe("23514");
          return [error.constraint?.replace(/^endpoints_(.*)_check$/, "$1")];
        });
      expect(bySql).toEqual(refused);
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("updateWebhook takes the same", () => {
    const limits = ({ maxLength, minItems, maxItems, items }: Limits) => ({ maxLength, minItems, maxItems, items });
    const changes = commands.update_webhook.arguments;
    expect([changes.url, changes.event_types, changes.description].map(limits)).toEqual(
      [url, event_types, description].map(limits),
    );
  });
});
