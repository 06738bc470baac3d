// What the organization's contact is told when a webhook is disabled.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MailMessage } from "../../../src/adapters/mail/mail-sender.ts";
import { readConfig } from "../../../src/main/config.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { services } from "../../../src/services/services.ts";
import { withoutAnswer } from "../../../src/services/webhooks/mails.ts";
import { mailKindsOf, sendMail } from "../../../workers/platform/send-mail.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { taskContext } from "../../support/worker.ts";

let database: TestDatabase;
let operator: Operator;
let pool: ReturnType<typeof createPool>;
let owner: ReturnType<typeof ownerPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  operator = await Operator.connect(database.adminUrl);
  pool = createPool({ url: database.workerUrl, role: "selo_worker", applicationName: "test worker" }, 2, () => {});
  owner = ownerPool(database);
});
afterAll(async () => {
  await operator?.close();
  await pool?.end();
  await owner?.end();
  await database?.drop();
});
beforeEach(() => database.admin.query("delete from platform.mails"));

interface Given {
  readonly reason: "failing" | "gone" | "manual";
  readonly language?: string;
  readonly environment?: "live" | "test";
  readonly url?: string;
  readonly failures?: number;
  readonly email?: string | null;
  /** How its last attempt failed. */
  readonly error?: { readonly code: string; readonly status: number | null };
  /** Members that the row of the mail does not have. */
  readonly lacks?: readonly string[];
}

/** Disables an endpoint of a new organization; answers the mails of it as they are sent. */
async function disable(given: Given): Promise<MailMessage[]> {
  const { reason, language = "en", environment = "live", failures = 23, email = "ana@example.org" } = given;
  const url = given.url ?? "https://hooks.example.com/selo?token=hush&more=hush";
  const { id } = await operator.createOrganization({
    name: "Imobiliária São João",
    email,
    language,
    timeZone: "America/Sao_Paulo",
  });
  await inContext(owner, id, environment, async (client) => {
    const since = failures > 0 ? "2026-03-01T12:00:00Z" : null;
    const { rows } = await client.query(
      `insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret, consecutive_failures, failing_since)
       values ($1, platform.uuidv7(), $2, $3, '{*}', '\\x00', $4, $5) returning id`,
      [id, environment, url, failures, since],
    );
    if (given.error !== undefined) {
      const { code, status } = given.error;
      await client.query(
        `insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt,
           automatic_attempts, trigger, status, url, requested_at, duration_ms, response_status, error_code)
         values ($1, platform.uuidv7(), $2, $3, platform.uuidv7(), platform.uuidv7(), 'proof.registered', 1, 1, 'auto', 'FAILED',
           $4, now(), 1, $5, $6)`,
        [id, environment, rows[0].id, url, status, code],
      );
    }
    await client.query("select webhooks.disable_endpoint($1, $2)", [rows[0].id, reason]);
  });
  if (given.lacks !== undefined)
    await database.admin.query("update platform.mails set data = data - $1::text[]", [given.lacks]);
  const sent: MailMessage[] = [];
  const send = sendMail(
    { send: async (message) => void sent.push(message) },
    readConfig({ PUBLIC_URL: "https://selo.example" }),
    await mailKindsOf(services),
  );
  const { rows: mails } = await database.admin.query(
    "select id, tenant_id, environment from platform.mails where tenant_id = $1",
    [id],
  );
  for (const mail of mails) await send(mail, taskContext(pool, masterKeys));
  return sent;
}

describe("webhook_disabled", () => {
  test("says which webhook failed, how, how often and since when, in the organization's time, and what to do", async () => {
    const [mail] = await disable({ reason: "failing", error: { code: "http_status", status: 503 } });
    expect(mail?.recipient).toBe("ana@example.org");
    expect(mail?.subject).toBe("Webhook disabled: hooks.example.com");
    expect(mail?.text).toMatch(/^ {2}Address: https:\/\/hooks\.example\.com\/selo$/m);
    expect(mail?.text).toMatch(/^ {2}ID of the webhook: [0-9a-f-]{36}$/m);
    expect(mail?.text).toMatch(/^ {2}Last answer: 503 Service Unavailable$/m);
    expect(mail?.text).toMatch(
      /^ {2}Failed attempts: 23 in a row, the first on 1 March 2026 at 09:00 \(Brasilia Standard Time\)$/m,
    );
    for (const part of [mail?.text, mail?.html]) {
      for (const fact of [
        "None of the last 23 delivery attempts succeeded, over at least a day.",
        "can be sent again for 30 days after the event",
        "Before you enable it",
        "https://selo.example/guides/webhooks#enable-a-disabled-webhook",
      ]) {
        expect(part).toContain(fact);
      }
    }
  });

  test("says that the address answered 410, with no count where nothing failed before", async () => {
    const [mail] = await disable({ reason: "gone", failures: 0, error: { code: "http_status", status: 410 } });
    expect(mail?.text).toContain("answered 410 Gone");
    for (const label of ["Failed attempts", "Last answer"]) expect(mail?.text).not.toContain(label);
  });

  test("is written in Portuguese to an organization that reads it", async () => {
    const error = { code: "redirect", status: 301 };
    const [failing] = await disable({ reason: "failing", language: "pt-BR", environment: "test", error });
    expect(failing?.subject).toBe("[teste] Webhook desativado: hooks.example.com");
    for (const fact of [
      "É um teste: nada mudou em produção.",
      "Endereço: https://hooks.example.com/selo\n",
      "Imobiliária São João, teste\n",
      "Última resposta: 301 Moved Permanently (o Selo não segue redirecionamentos)\n",
      "23 seguidas, a primeira em 1º de março de 2026 às 09:00 (horário de Brasília)\n",
      "Ver como reativar e reenviar:\n",
    ]) {
      expect(failing?.text).toContain(fact);
    }
    const [gone] = await disable({ reason: "gone", language: "pt" });
    expect(gone?.text).toContain("respondeu 410 Gone");
  });

  test("names every way in which an attempt fails without an answer, in both languages", async () => {
    const codes = Object.keys(withoutAnswer);
    const { rows } = await database.admin.query(
      "select col_description('api.webhook_deliveries'::regclass, attnum) as comment from pg_attribute where attrelid = 'api.webhook_deliveries'::regclass and attname = 'error_code'",
    );
    const [, documented = ""] = /Without a whole answer: (.*)$/s.exec(rows[0].comment) ?? [];
    expect([...documented.matchAll(/\b([a-z]+(?:_[a-z]+)*) \(/g)].map(([, code]) => code).sort()).toEqual(codes.sort());
    for (const [language, label] of [
      ["en", "Last answer"],
      ["pt-BR", "Última resposta"],
    ] as const) {
      const [mail] = await disable({ reason: "failing", language, error: { code: "dns_failed", status: null } });
      expect(mail?.text).toContain(`  ${label}: ${withoutAnswer["dns_failed"]?.[language]}\n`);
    }
  });

  test("that an earlier version wrote is still sent: without id, answer and days", async () => {
    const [mail] = await disable({ reason: "failing", lacks: ["id", "error_code", "response_status", "kept_days"] });
    expect(mail?.text).toContain("Undelivered events can be sent again while it is stored.");
    for (const label of ["ID of the webhook", "Last answer"]) expect(mail?.text).not.toContain(label);
  });

  test("holds nothing of the address's query, nor does the row it is made of", async () => {
    const [mail] = await disable({ reason: "gone" });
    expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toContain("hush");
    const { rows } = await database.admin.query("select data::text from platform.mails");
    expect(rows.map(({ data }) => data).join()).not.toContain("hush");
  });

  test("addresses are text: no markup of theirs", async () => {
    const [mail] = await disable({ reason: "gone", url: "https://example.com/%3Cb%3E<script>alert(1)</script>&amp;" });
    expect(mail?.html).not.toContain("<script>");
    expect(mail?.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;");
  });

  test("is not sent for what somebody disabled by hand, and not without a contact", async () => {
    expect(await disable({ reason: "manual" })).toEqual([]);
    expect(await disable({ reason: "failing", email: null })).toEqual([]);
  });
});
