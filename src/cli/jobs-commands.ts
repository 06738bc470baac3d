import type { Command } from "commander";
import { wholeNumber } from "./arguments.ts";
import { print } from "./print.ts";
import { withOperator } from "./with-operator.ts";

/** `selo jobs`: what the worker has to do, and what it could not. */
export function addJobsCommands(program: Command): void {
  const jobs = program.command("jobs").description("background jobs");
  jobs
    .command("list")
    .description("how many jobs of each task wait, are scheduled, run, or failed for good")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const states = (await withOperator((operator) => operator.queueStates())).jobs;
      print(json, states, () =>
        states
          .map(
            ({ task, waiting, scheduled, running, failed }) =>
              `${task}  ${waiting} waiting  ${scheduled} scheduled  ${running} running  ${failed} failed`,
          )
          .join("\n"),
      );
    });
  jobs
    .command("failed")
    .description("jobs whose attempts are used up: id, task, attempts, since when, and the last error")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const failed = await withOperator((operator) => operator.failedJobs());
      print(json, failed, () =>
        failed
          .map(
            ({ id, task, attempts, failed_at, error }) =>
              `${id}  ${task}  ${attempts} attempts  ${failed_at.toISOString()}  ${error ?? ""}`,
          )
          .join("\n"),
      );
    });
  jobs
    .command("retry")
    .description("give failed jobs all their attempts again")
    .argument("[ids...]", "ids of failed jobs", (text: string, ids: number[] = []) => [...ids, wholeNumber(text)])
    .option("--all", "every failed job")
    .option("--json", "print JSON")
    .action(async (ids: number[], { all, json }: { all?: boolean; json?: boolean }) => {
      if ((ids.length === 0) === (all !== true)) jobs.error("error: give either ids or --all");
      const retried = await withOperator((operator) => operator.retryJobs(all ? null : ids));
      print(json, retried, () =>
        retried.length > 0 ? retried.map(({ id, task }) => `${id}  ${task}`).join("\n") : "nothing to retry",
      );
    });
}
