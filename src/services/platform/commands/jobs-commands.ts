import type { Command } from "commander";
import { wholeNumber } from "../../../surfaces/cli/arguments.ts";
import { printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";

/** `selo jobs`: the worker's jobs, and its failed jobs. */
export function addJobsCommands(program: Command, { withOperator }: CommandHouse): void {
  const jobs = program.command("jobs");
  jobs
    .command("list")
    .description("count the jobs of each task that wait, are scheduled, run, or have failed for good")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const states = (await withOperator((operator) => operator.jobs.states())).jobs;
      printList(json, states, "no jobs", {
        task: ({ task }) => task,
        waiting: ({ waiting }) => waiting,
        scheduled: ({ scheduled }) => scheduled,
        running: ({ running }) => running,
        failed: ({ failed }) => failed,
      });
    });
  jobs
    .command("failed")
    .description("list the jobs with no attempts left: id, task, attempts, since when, and the last error")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const failed = await withOperator((operator) => operator.jobs.failed());
      printList(json, failed, "no failed jobs", {
        id: ({ id }) => id,
        task: ({ task }) => task,
        attempts: ({ attempts }) => attempts,
        failed: ({ failed_at }) => failed_at,
        error: ({ error }) => error,
      });
    });
  jobs
    .command("retry")
    .description("give failed jobs all their attempts again")
    .argument("[ids...]", "ids of failed jobs", (text: string, ids: number[] = []) => [...ids, wholeNumber(text)])
    .option("--all", "retry every failed job")
    .option("--json", "print JSON")
    .action(async (ids: number[], { all, json }: { all?: boolean; json?: boolean }) => {
      if ((ids.length === 0) === (all !== true)) jobs.error("error: give either ids or --all");
      const retried = await withOperator((operator) => operator.jobs.retry(all ? null : ids));
      printList(json, retried, "nothing to retry", { id: ({ id }) => id, task: ({ task }) => task });
    });
}
