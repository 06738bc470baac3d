/** The process of the limit: signed posts as fast as they go, with nothing written down. */
import { answer, machineMs } from "./webhooks-child.ts";
import { type Post, post } from "./webhooks-post.ts";

export interface RawQuestion {
  readonly posts: readonly Post[];
  readonly count: number;
  readonly atOnce: number;
}

/** Answers the milliseconds it took. */
answer(async ({ posts, count, atOnce }: RawQuestion) => {
  const started = machineMs();
  let sent = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) await post(posts[sent++ % posts.length] as Post);
    }),
  );
  return machineMs() - started;
});
