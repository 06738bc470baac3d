import type { Answer, Call, Idempotency } from "../../../../src/postgres/call.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";

/**
 * Keeps the file of a note, which REST and GraphQL have read in ways of their own, and counts it.
 * @throws AppError 404 not_found
 */
export async function attachFile(
  { database, noteMetrics }: NoteParts,
  requester: Pick<Call, "credentialHash" | "origin">,
  { id, file }: { readonly id: string; readonly file: Buffer },
  idempotency: Idempotency | null,
): Promise<Answer> {
  const call = { ...requester, command: commands.attach_file, arguments: { id, file: file.toString("base64") } };
  const answer = await database.call({ ...call, idempotency });
  if (!answer.replayed) noteMetrics.fileAttached();
  return answer;
}
