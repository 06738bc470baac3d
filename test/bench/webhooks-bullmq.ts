/** The worker of BullMQ: posts a hundred at once, each a job whose result is kept. */
import { Worker } from "bullmq";
import { answer } from "./webhooks-child.ts";
import { type Post, post, QUEUE } from "./webhooks-post.ts";

export type BullMqQuestion =
  | { readonly ask: "start"; readonly socket: string }
  | { readonly ask: "until"; readonly count: number };

const AT_ONCE = 100;

let completed = 0;
let until: { readonly count: number; readonly reached: () => void } | null = null;

answer(async (question: BullMqQuestion) => {
  if (question.ask === "start") {
    const worker = new Worker<Post>(QUEUE, async (job) => ({ status: await post(job.data) }), {
      connection: { path: question.socket, maxRetriesPerRequest: null },
      concurrency: AT_ONCE,
    });
    worker.on("error", console.error);
    worker.on("completed", () => {
      completed += 1;
      if (until === null || completed < until.count) return;
      until.reached();
      until = null;
    });
    await worker.waitUntilReady();
    return;
  }
  if (completed < question.count)
    await new Promise<void>((reached) => {
      until = { count: question.count, reached };
    });
  completed = 0;
});
