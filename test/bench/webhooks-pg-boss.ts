/** The worker of pg-boss: fetches by the hundred, posts them, completes them with what became of them. */
import { PgBoss } from "pg-boss";
import { answer } from "./webhooks-child.ts";
import { type Post, post, QUEUE } from "./webhooks-post.ts";

export type PgBossQuestion =
  | { readonly ask: "start"; readonly url: string }
  | { readonly ask: "until"; readonly count: number };

const BATCH = 100;
/** So that one fetches while the other posts. */
const LOOPS = 2;

let completed = 0;
let until: { readonly count: number; readonly reached: () => void } | null = null;

async function work(boss: PgBoss): Promise<never> {
  for (;;) {
    const jobs = await boss.fetch<Post>(QUEUE, { batchSize: BATCH });
    if (jobs.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    const [status] = await Promise.all(jobs.map((job) => post(job.data)));
    await boss.complete(
      QUEUE,
      jobs.map((job) => job.id),
      { status },
    );
    completed += jobs.length;
    if (until !== null && completed >= until.count) {
      until.reached();
      until = null;
    }
  }
}

answer(async (question: PgBossQuestion) => {
  if (question.ask === "start") {
    const boss = new PgBoss({ connectionString: question.url, supervise: false, schedule: false });
    boss.on("error", console.error);
    await boss.start();
    for (let loop = 0; loop < LOOPS; loop++) void work(boss);
    return;
  }
  if (completed < question.count)
    await new Promise<void>((reached) => {
      until = { count: question.count, reached };
    });
  completed = 0;
});
