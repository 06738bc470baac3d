// Limits of the dispatcher that columns and hot paths repeat: both are asked at the borders, and must agree. limits.test.ts asks all others.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { checkedKey } from "../../../src/surfaces/http/idempotency.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { routes } from "../../support/routes.ts";

/** What a route reads as JSON. */
function bodyOf(name: string): z.ZodObject {
  const body = routes.find(({ operation }) => operation === name)?.body;
  if (body === undefined) throw new Error(`${name} reads no JSON`);
  return body;
}
const proofInput = bodyOf("registerProof");
const webhookInput = bodyOf("createWebhook");
const webhookChanges = bodyOf("updateWebhook");

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Names of the members a schema refuses. */
function refusedBySchema(
  schema: {
    safeParse(value: unknown): {
      success: boolean;
      error?: { issues: readonly { path: readonly PropertyKey[] }[] } | undefined;
    };
  },
  value: object,
): string[] {
  return [...new Set((schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join(".")))].sort();
}

const names = (fields: readonly { field: string }[] | null) => (fields ?? []).map(({ field }) => field).sort();

describe("signature.wrong_proof_input and the schema of POST /proofs", () => {
  const DIGEST = "0123456789abcdef".repeat(4);
  const ASTRAL = "😀";
  const inputs: [string, { sha256?: string | null; label?: string; file_name?: string; file_size?: number }][] = [
    ["the least", { sha256: DIGEST }],
    ["sha256 missing", {}],
    ["sha256 empty", { sha256: "" }],
    ["sha256 of 63", { sha256: DIGEST.slice(1) }],
    ["sha256 of 65", { sha256: `${DIGEST}0` }],
    ["sha256 in upper case", { sha256: DIGEST.toUpperCase() }],
    ["sha256 with g", { sha256: `${DIGEST.slice(1)}g` }],
    ["sha256 with a space", { sha256: `${DIGEST.slice(1)} ` }],
    ["sha256 with a line feed at its end", { sha256: `${DIGEST}\n` }],
    ["sha256 with a line feed before", { sha256: `\n${DIGEST}` }],
    ["sha256 in two lines", { sha256: `${DIGEST}\n${DIGEST}` }],
    ["label empty", { sha256: DIGEST, label: "" }],
    ["label of 199", { sha256: DIGEST, label: "a".repeat(199) }],
    ["label of 200", { sha256: DIGEST, label: "a".repeat(200) }],
    ["label of 201", { sha256: DIGEST, label: "a".repeat(201) }],
    ["label of 200 astral", { sha256: DIGEST, label: ASTRAL.repeat(200) }],
    ["label of 201 astral", { sha256: DIGEST, label: ASTRAL.repeat(201) }],
    ["label of 100 letters with a combining mark each", { sha256: DIGEST, label: "e\u0301".repeat(100) }],
    ["label of 101 letters with a combining mark each", { sha256: DIGEST, label: "e\u0301".repeat(101) }],
    ["label of 200 spaces", { sha256: DIGEST, label: " ".repeat(200) }],
    ["label of 201 spaces", { sha256: DIGEST, label: " ".repeat(201) }],
    ["file_name of 254", { sha256: DIGEST, file_name: "a".repeat(254) }],
    ["file_name of 255", { sha256: DIGEST, file_name: "a".repeat(255) }],
    ["file_name of 256", { sha256: DIGEST, file_name: "a".repeat(256) }],
    ["file_name of 255 astral", { sha256: DIGEST, file_name: ASTRAL.repeat(255) }],
    ["file_name of 256 astral", { sha256: DIGEST, file_name: ASTRAL.repeat(256) }],
    ["file_size -1", { sha256: DIGEST, file_size: -1 }],
    ["file_size 0", { sha256: DIGEST, file_size: 0 }],
    ["file_size 1", { sha256: DIGEST, file_size: 1 }],
    ["file_size 2^53-1", { sha256: DIGEST, file_size: 2 ** 53 - 1 }],
    ["file_size 2^53", { sha256: DIGEST, file_size: 2 ** 53 }],
    ["everything wrong", { sha256: "x", label: "a".repeat(201), file_name: "a".repeat(256), file_size: -1 }],
  ];

  test.each(inputs)("agree: %s", async (_, input) => {
    const { rows } = await database.admin.query<{ fields: { field: string }[] | null }>(
      "select signature.wrong_proof_input($1, $2, $3, $4) as fields",
      [input.sha256 ?? null, input.label ?? null, input.file_name ?? null, input.file_size?.toFixed(0) ?? null],
    );
    expect(names(rows[0]?.fields ?? null)).toEqual(refusedBySchema(proofInput, input));
  });

  test("some are refused and some are not, or the comparison shows nothing", () => {
    const refused = inputs.filter(([, input]) => refusedBySchema(proofInput, input).length > 0);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.length).toBeLessThan(inputs.length - 10);
  });

  test("the columns of signature.proofs hold the same limits", async () => {
    const { rows } = await database.admin.query<{ limits: string }>(
      `select string_agg(pg_get_constraintdef(oid), ' ' order by conname) as limits
       from pg_constraint where conrelid = 'signature.proofs'::regclass and contype = 'c'`,
    );
    for (const limit of ["char_length(label) <= 200", "char_length(file_name) <= 255", "'9007199254740991'::bigint"]) {
      expect(rows[0]?.limits).toContain(limit);
    }
  });
});

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

describe("the columns of webhooks.endpoints and the schema of POST and PATCH /webhooks", () => {
  const URL = "https://example.com/";
  const good = { url: URL, event_types: ["*"] };

  test.each<[string, { url?: string; event_types?: string[]; description?: string }, string[]]>([
    ["url of 2048", { url: URL.padEnd(2_048, "a") }, []],
    ["url of 2049", { url: URL.padEnd(2_049, "a") }, ["url"]],
    ["one kind", { event_types: ["*"] }, []],
    ["no kind", { event_types: [] }, ["event_types"]],
    ["description of 500", { description: "a".repeat(500) }, []],
    ["description of 500 astral", { description: "😀".repeat(500) }, []],
    ["description of 501", { description: "a".repeat(501) }, ["description"]],
    ["description of 501 astral", { description: "😀".repeat(501) }, ["description"]],
  ])("agree: %s", async (_, change, refused) => {
    const tenant = randomUUID();
    const input = { ...good, description: null, ...change };
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
    expect(refusedBySchema(webhookInput, input)).toEqual(refused);
    expect(refusedBySchema(webhookChanges, change)).toEqual(refused);
  });
});
