import type { Job } from "graphile-worker";
import { z } from "zod";
import { REQUEST_ID_FORM } from "../src/surfaces/http/request-id.ts";
import type { Metrics } from "../src/surfaces/metrics/metrics.ts";
import type { TaskContext, WorkerTask } from "./task.ts";

/** The members that platform.add_job puts into every payload; tasks read the rest. */
const requested = z.object({
  request_id: z.string().max(REQUEST_ID_FORM.most).regex(new RegExp(REQUEST_ID_FORM.pattern)),
});

/** What all jobs of a worker share. */
export type JobContext = Omit<TaskContext, "isLastAttempt">;

/** Runs one attempt of a job. Its log lines name the job and the request, and its outcome is counted. Payloads are never logged. */
export async function runJob(
  task: WorkerTask,
  job: Pick<Job, "id" | "task_identifier" | "attempts" | "max_attempts" | "payload">,
  context: JobContext,
  metrics: Metrics,
): Promise<void> {
  const { task_identifier: name, attempts, max_attempts } = job;
  const request = requested.safeParse(job.payload);
  const log = context.log.child({
    task: name,
    job_id: String(job.id),
    attempt: attempts,
    ...(request.success ? { request_id: request.data.request_id } : {}),
  });
  const began = performance.now();
  const ended = (outcome: Parameters<Metrics["jobEnded"]>[1]) =>
    metrics.jobEnded(name, outcome, (performance.now() - began) / 1_000);
  try {
    await task(job.payload, { ...context, log, isLastAttempt: attempts >= max_attempts });
    ended("succeeded");
  } catch (error) {
    if (attempts < max_attempts) {
      ended("failed");
      log.warn(reasonOf(error), "an attempt of a job failed; another follows");
    } else {
      ended("failed_for_good");
      log.error({ alarm: "job_failed", ...reasonOf(error) }, "a job failed for good: see selo jobs failed");
    }
    throw error;
  }
}

const MOST_CHARACTERS = 300;

/**
 * The safe part of an error: its message on one line, without addresses, and the place in the code. Other members of errors may hold
 * a server's answer or the parameters of a statement.
 */
function reasonOf(error: unknown): { readonly reason: string; readonly at: readonly string[] } {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const words = message.replaceAll(/[^\s<>"']+@[^\s<>"']+/g, "…").replaceAll(/\s+/g, " ");
  const frames = stack.split("\n").filter((line) => /^ +at /.test(line));
  return { reason: words.slice(0, MOST_CHARACTERS), at: frames.map((frame) => frame.trim()) };
}
