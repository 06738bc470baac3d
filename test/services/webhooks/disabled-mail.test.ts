// What the organization's contact is told when a webhook is disabled.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MailMessage } from "../../../src/adapters/mail/mail-sender.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { services } from "../../../src/services/services.ts";
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
    await client.query("select webhooks.disable_endpoint($1, $2)", [rows[0].id, reason]);
  });
  const sent: MailMessage[] = [];
  const send = sendMail(
    { send: async (message) => void sent.push(message) },
    "https://selo.example",
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
  test("says which address failed, how often and since when, in the organization's time, and what to do", async () => {
    const [mail] = await disable({ reason: "failing" });
    expect(mail?.recipient).toBe("ana@example.org");
    expect(mail?.subject).toBe("A webhook of Imobiliária São João was disabled");
    expect(mail?.text).toMatch(/^ {2}Address: https:\/\/hooks\.example\.com\/selo$/m);
    expect(mail?.text).toMatch(/^ {2}Failures in a row: 23$/m);
    expect(mail?.text).toMatch(/^ {2}Failing since: 1 March 2026 at 09:00:00 GMT-3$/m);
    for (const part of [mail?.text, mail?.html]) {
      for (const fact of ["failed for a day or more", "enable the webhook", "replay"]) expect(part).toContain(fact);
    }
  });

  test("says that the address answered 410, with no count where nothing failed before", async () => {
    const [mail] = await disable({ reason: "gone", failures: 0 });
    expect(mail?.text).toContain("answered 410 Gone");
    for (const label of ["Failures in a row", "Failing since"]) expect(mail?.text).not.toContain(label);
  });

  test("is written in Portuguese to whoever reads it", async () => {
    const [failing] = await disable({ reason: "failing", language: "pt-BR", environment: "test" });
    expect(failing?.subject).toBe("[test] Um webhook de Imobiliária São João foi desativado");
    for (const fact of [
      "Endereço: https://hooks.example.com/selo\n",
      "teste (test)",
      "Falhas seguidas: 23",
      "Falhando desde: 1 de março de 2026",
      "ative o webhook",
    ]) {
      expect(failing?.text).toContain(fact);
    }
    const [gone] = await disable({ reason: "gone", language: "pt" });
    expect(gone?.text).toContain("respondeu 410 Gone");
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
