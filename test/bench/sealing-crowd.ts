import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import type { Measurement } from "./measurement.ts";
import { aSender, asked, contract, openAdmin, type Sender, sent, sign, TYPED } from "./sealing-stage.ts";
import { percentile } from "./webhooks-support.ts";

const SIGNERS = 100;
const SENDERS = 10;

/** 100 signers at once, an envelope each, from their link to done: all that the page asks the service for. The worker mails their codes meanwhile. */
export async function crowd(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = openAdmin(gateway);
  try {
    await gateway.startWorker();
    const senders: Sender[] = [];
    for (let place = 0; place < SENDERS; place++)
      senders.push(await aSender(gateway, await gateway.newOrganization(1_000), contract(5)));
    const links: { readonly participantId: string; readonly documentId: string; readonly link: string }[] = [];
    for (let place = 0; place < SIGNERS; place++) {
      const sender = senders[place % SENDERS] as Sender;
      const [participantId = ""] = (await sent(gateway, sender, 1)).participants;
      const link = await mailed(admin, participantId, "envelope_invitation");
      links.push({ participantId, documentId: sender.documentId, link: link.split("#")[1] ?? "" });
    }
    await gateway.analyze();
    const begun = performance.now();
    const times = await Promise.all(
      links.map(async ({ participantId, documentId, link }) => {
        await wholeWay(gateway, admin, participantId, documentId, link);
        return performance.now() - begun;
      }),
    );
    times.sort((left, right) => left - right);
    return [
      {
        figure: `${SIGNERS} signers at once, from link to done (link, code, session, document, view, complete)`,
        value: `${((times.at(-1) ?? 0) / 1_000).toFixed(1)} s for all`,
        p50: `${(percentile(times, 0.5) / 1_000).toFixed(1)} s`,
        p99: `${(percentile(times, 0.99) / 1_000).toFixed(1)} s`,
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

/** What the page does, without the time that people take. */
async function wholeWay(
  gateway: BenchGateway,
  admin: pg.Pool,
  participantId: string,
  documentId: string,
  link: string,
): Promise<void> {
  const path = `/signing/${participantId}`;
  const withLink = { "x-signing-link": link };
  await asked(gateway, "GET", path, { headers: withLink });
  await asked(gateway, "POST", `${path}/code`, { headers: withLink });
  const code = await mailed(admin, participantId, "signing_code");
  const { token } = await asked<{ token: string }>(gateway, "POST", `${path}/session`, {
    headers: withLink,
    body: { code },
  });
  const headers = { ...withLink, "x-signing-session": token };
  const file = await fetch(`${gateway.url}/api/v1${path}/documents/${documentId}`, { headers });
  if (!file.ok) throw new Error(`the document: ${file.status}`);
  await file.arrayBuffer();
  await asked(gateway, "POST", `${path}/view`, { headers });
  await sign(gateway, { participantId, headers }, TYPED);
}

/** The link or the code of a participant's mail, once the worker has composed it. */
export async function mailed(admin: pg.Pool, participantId: string, kind: string): Promise<string> {
  for (;;) {
    const { rows } = await admin.query<{ found: string | null }>(
      "select coalesce(code, link) as found from platform.mails where participant_id = $1 and kind = $2",
      [participantId, kind],
    );
    const found = rows[0]?.found;
    if (found) return found;
    await pause(20);
  }
}
