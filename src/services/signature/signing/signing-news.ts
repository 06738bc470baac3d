import type { Answer } from "../../../postgres/call.ts";

/** What SQL tells the gateway beside the answer, for its counters. */
interface News {
  readonly environment: "live" | "test";
  /** False for a request that SQL has answered before. */
  readonly is_new?: boolean;
}

/**
 * The answer to a participant, without what is for the gateway alone.
 * @param count called for a first request
 */
export function withoutNews(answer: Answer, count: (environment: News["environment"]) => void): Answer {
  const { is_new = true, environment, ...body } = JSON.parse(answer.body ?? "null") as News;
  if (is_new && !answer.replayed) count(environment);
  return { ...answer, body: JSON.stringify(body) };
}
