import { EventEmitter } from "node:events";
import fs from "node:fs";
import path from "node:path";
import {
  type JobHelpers,
  parseCrontab,
  run,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from "graphile-worker";
import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import type { MailSender } from "../src/adapters/mail/mail-sender.ts";
import { SmtpSender } from "../src/adapters/mail/smtp-sender.ts";
import { DnsResolver } from "../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../src/adapters/outgoing-http/webhook-sender.ts";
import { type Config, ConfigError } from "../src/main/config.ts";
import { AuditReader } from "../src/postgres/audit-reader.ts";
import { Jobs } from "../src/postgres/jobs.ts";
import { requireMigrated } from "../src/postgres/migrate/require-migrated.ts";
import { listen } from "../src/postgres/notifications.ts";
import { createPool } from "../src/postgres/pool.ts";
import { listenForMetrics, type MetricsListener } from "../src/surfaces/metrics/endpoint.ts";
import { Metrics } from "../src/surfaces/metrics/metrics.ts";
import { checkMigrations } from "./checked-migrations.ts";
import { eraseOldMails } from "./platform/erase-old-mails.ts";
import { sealAuditTrail } from "./platform/seal-audit.ts";
import { sendMail } from "./platform/send-mail.ts";
import { sweepIdempotencyKeys } from "./platform/sweep-idempotency-keys.ts";
import { sweepRequestCounts } from "./platform/sweep-request-counts.ts";
import { verifyAuditTrail } from "./platform/verify-audit.ts";
import { watchJobs } from "./platform/watch-jobs.ts";
import { runJob } from "./run-job.ts";
import { reverifyProofs } from "./signature/reverify-proofs.ts";
import type { TaskContext, WorkerTask } from "./task.ts";
import { Dispatcher } from "./webhooks/dispatcher/dispatcher.ts";
import { addWebhookDays, keepWebhookDays } from "./webhooks/keep-days.ts";

/** Every job by its name in the queue; sending mail is beside them, for it needs a sender. */
export const tasks: Readonly<Record<string, WorkerTask>> = {
  platform__erase_old_mails: eraseOldMails,
  platform__seal_audit: sealAuditTrail,
  platform__sweep_idempotency_keys: sweepIdempotencyKeys,
  platform__sweep_request_counts: sweepRequestCounts,
  platform__verify_audit: verifyAuditTrail,
  platform__watch_jobs: watchJobs,
  signature__reverify_proofs: reverifyProofs,
  webhooks__keep_days: keepWebhookDays,
};

export interface WorkerOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Shared by what runs in one process, and listened for by whoever shares it; otherwise the worker has its own. */
  readonly metrics?: Metrics;
}

export interface RunningWorker {
  /** Of its own listener for /metrics and /healthz; null without one. */
  readonly metricsPort: number | null;
  /** Settles when the runner ends by itself, as it does when Postgres restarts: the process must end then, or it would idle on. */
  readonly ended: Promise<void>;
  /** Finishes the jobs and the attempts under way. */
  stop(): Promise<void>;
}

/** Starts the job runner and the dispatcher of webhooks. Any number of processes may run them on one database. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, databaseUrl, masterKeys, log } = options;
  const metrics = options.metrics ?? new Metrics();
  const connection = {
    url: databaseUrl,
    role: "selo_worker" as const,
    applicationName: "selo worker",
    statementTimeoutMs: 60_000,
  };
  const pool = createPool(connection, config.workerConcurrency + 4, (error) =>
    log.warn({ err: error }, "an idle database connection broke"),
  );
  const jobs = new Jobs(pool);
  metrics.watchPool("worker", pool);
  metrics.watchQueues(() => jobs.queueStates());
  let listener: MetricsListener | null = null;
  const stopping = new AbortController();
  try {
    await requireMigrated(pool, "jobs.proof_alarms()");
    const events: WorkerEvents = new EventEmitter();
    await checkMigrations(events, jobs, log);
    if (options.metrics === undefined) listener = await listenForMetrics(config, metrics);
    const resolver = new DnsResolver(config.webhookDnsServers);
    const webhooks = new WebhookSender({ resolver });
    const allowLoopback = config.webhookAllowLoopback;
    const dispatcher = new Dispatcher({ jobs, sender: webhooks, masterKeys, metrics, log, allowLoopback });
    await addWebhookDays(jobs);
    const sender = mailSender(config);
    if (sender === null) warnOfWaitingMail(config, log);
    const mailTasks = sender === null ? {} : { platform__send_mail: sendMail(sender, config.publicUrl) };
    const runner = await run({
      events,
      pgPool: pool,
      schema: "graphile_worker",
      concurrency: config.workerConcurrency,
      pollInterval: 2_000,
      noHandleSignals: true,
      taskList: taskListFor(
        { ...tasks, ...mailTasks },
        { jobs, openAudit: () => AuditReader.open(connection, null), masterKeys, log, stopping: stopping.signal },
        metrics,
      ),
      parsedCronItems: schedule(config),
      logger: quietLogger(log),
      // Written at once, but waited for when the runner stops: by itself it forgets jobs that have just ended, which would then run again.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    dispatcher.start();
    const listening = listen(connection, "webhook_deliveries", () => dispatcher.wake());
    const stop = async () => {
      stopping.abort(new Error("the worker stops"));
      await listening.close();
      await Promise.all([
        runner.stop().catch(() => {}), // it had ended by itself
        dispatcher.stop(),
      ]);
      await webhooks.close();
      await listener?.close();
      await pool.end();
    };
    return { metricsPort: listener?.port ?? null, ended: runner.promise, stop };
  } catch (error) {
    await listener?.close();
    await pool.end();
    throw error;
  }
}

/** Null without a mail server. Then this worker takes no such jobs: they wait for one that has one. */
function mailSender({ smtpUrl: url, mailFrom: from, mailDkim }: Config): MailSender | null {
  if (url === null) return null;
  if (mailDkim === null) return new SmtpSender({ url, from, dkim: null });
  try {
    const privateKey = fs.readFileSync(mailDkim.keyFile, "utf8");
    return new SmtpSender({ url, from, dkim: { ...mailDkim, privateKey } });
  } catch (error) {
    throw new ConfigError("MAIL_DKIM_KEY_FILE: is not a file with a private key (PEM)", { cause: error });
  }
}

/** Jobs that matter more go on, so a worker without a mail server starts; in production somebody must hear of it. */
function warnOfWaitingMail({ production }: Config, log: Logger): void {
  const message = "mails wait: this worker has no SMTP_URL";
  if (production) log.error({ alarm: "mail_is_not_sent" }, message);
  else log.warn(message);
}

/** What `crontab` says, and what the deployment chooses. */
export function schedule(config: Pick<Config, "auditSealSchedule">) {
  const crontab = fs.readFileSync(path.join(import.meta.dirname, "crontab"), "utf8");
  return parseCrontab(
    `${crontab}\n${config.auditSealSchedule} platform__seal_audit ?max=5&jobKey=platform__seal_audit\n`,
  );
}

function taskListFor(all: Readonly<Record<string, WorkerTask>>, context: TaskContext, metrics: Metrics): TaskList {
  return Object.fromEntries(
    Object.entries(all).map(([name, task]) => [
      name,
      (_payload: unknown, { job }: JobHelpers) => runJob(task, job, context, metrics),
    ]),
  );
}

/** Payloads may hold what logs must not: only graphile-worker's own words, at its warnings and errors; of failed jobs ours. */
function quietLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    if (meta?.["failure"] === true) return;
    if (level === "error") log.error({ scope: scope.label }, message);
    else if (level === "warning") log.warn({ scope: scope.label }, message);
  });
}
