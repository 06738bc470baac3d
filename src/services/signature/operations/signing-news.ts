import type { Answer } from "../../../postgres/call.ts";

/**
 * The answer to a participant who finishes or declines, without `is_new`, by which SQL tells a first request from a repeated one.
 * @param count called for a first request
 */
export function withoutNews(answer: Answer, count: () => void): Answer {
  const { is_new, ...body } = JSON.parse(answer.body ?? "null") as { readonly is_new: boolean };
  if (is_new && !answer.replayed) count();
  return { ...answer, body: JSON.stringify(body) };
}
