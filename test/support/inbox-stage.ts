// A gateway that shows the mails which its SMTP server catches, as in development.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createTransport } from "nodemailer";
import { expect } from "vitest";
import { createLogger } from "../../src/main/log.ts";
import { services } from "../../src/services/services.ts";
import { type Inbox, inboxOf } from "../../src/surfaces/dev-inbox/inbox.ts";
import { type MailCatcher, startMailCatcher } from "../../src/surfaces/dev-inbox/mail-catcher.ts";
import { type RunningWorker, startWorker } from "../../workers/main.ts";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { masterKeys } from "./master-keys.ts";

export interface Mail {
  readonly subject?: string;
  readonly to?: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly { readonly cid: string; readonly content: Buffer; readonly contentType: string }[];
}

/** A worker whose mails the server catches. */
export const startMailer = ({ config, database }: TestGateway, { url: smtpUrl }: MailCatcher): Promise<RunningWorker> =>
  startWorker({
    services,
    config: { ...config, smtpUrl },
    databaseUrl: database.workerUrl,
    masterKeys,
    log: createLogger("silent"),
  });

export class InboxStage {
  readonly dataDir: string;
  readonly selo: TestGateway;
  readonly inbox: Inbox;
  readonly #catcher: MailCatcher;

  private constructor(dataDir: string, selo: TestGateway, inbox: Inbox, catcher: MailCatcher) {
    this.dataDir = dataDir;
    this.selo = selo;
    this.inbox = inbox;
    this.#catcher = catcher;
  }

  static async open(): Promise<InboxStage> {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-inbox-"));
    const selo = await startTestGateway({ SELO_DATA_DIR: dataDir });
    const inbox = inboxOf(selo.config);
    return new InboxStage(dataDir, selo, inbox, await startMailCatcher(inbox));
  }

  /** The address of its SMTP server. */
  get smtpUrl(): string {
    return this.#catcher.url;
  }

  async close(): Promise<void> {
    await this.#catcher.close();
    await this.selo.stop();
    fs.rmSync(this.dataDir, { recursive: true });
  }

  /** Throws all mails away. */
  empty(): void {
    fs.rmSync(path.join(this.dataDir, "inbox"), { recursive: true, force: true });
  }

  /** As any program would, by SMTP; answers its id in the inbox. */
  async deliver(mail: Mail): Promise<string> {
    const transport = createTransport({ url: this.#catcher.url });
    await transport.sendMail({
      from: "selo@selo.example",
      to: "ana@example.org",
      text: "Text.",
      ...mail,
      attachments: [...(mail.attachments ?? [])],
    });
    transport.close();
    return this.inbox.list()[0]?.id ?? "";
  }

  /** Runs a worker until its first mail is there. */
  async sendOne(): Promise<void> {
    const worker = await startMailer(this.selo, this.#catcher);
    await expect.poll(() => this.inbox.list().length).toBe(1);
    await worker.stop();
  }

  /** A page or file as it comes, redirects included. */
  get(url: string): Promise<Response> {
    return fetch(`${this.selo.baseUrl}${url}`, { redirect: "manual" });
  }
}
