// `selo jobs retry` of the job that completes an envelope, after attempts that failed.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../workers/main.ts";
import { ONE_PAGE, pdf } from "../../adapters/pdf-check/pdf-file.ts";
import { complete, evidenceOf, sentWith, storeContent } from "../../services/signature/completion-stage.ts";
import { type EnvelopeStage, openStage, read } from "../../services/signature/envelope-stage.ts";
import { command, commandJson } from "../../support/command.ts";
import { workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { readyDocument } from "../../support/uploads.ts";
import { startTestWorker } from "../../support/worker.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: RunningWorker;
beforeAll(async () => {
  selo = await startTestGateway({ LOG_LEVEL: "silent" });
  stage = await openStage(selo);
  worker = await startTestWorker(selo);
});
afterAll(async () => {
  await worker?.stop();
  await selo?.stop();
});

interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
}

const TASK = "signature__complete_envelope";
const environment = () => ({ DATABASE_URL: selo.database.appUrl, DATABASE_ADMIN_URL: selo.database.adminUrl });
const failed = async () =>
  (await commandJson<FailedJob[]>(["jobs", "failed"], environment())).filter(({ task }) => task === TASK);
const admin = (text: string, values: unknown[] = []) => selo.database.admin.query(text, values);

test("an envelope whose completion failed eight times is failed; mended and retried, it is completed", async () => {
  const { id, links } = await sentWith(
    stage,
    [{}],
    {},
    {
      upload: async () => (await readyDocument(selo, stage.token)).id,
    },
  );
  // Signed records are written, and the record of the end is refused.
  await admin(`
    create function public.refuse() returns trigger language plpgsql as $$ begin
      if new.participant_id is null then raise exception 'the disk of records is full'; end if; return new; end $$;
    create trigger refuse before insert on signature.signature_records for each row execute function public.refuse()`);
  expect((await complete(stage, links[0])).status).toBe(200);
  await expect
    .poll(
      async () => {
        // The attempts of a job are minutes apart.
        await admin(
          `update graphile_worker._private_jobs as job set run_at = now() from graphile_worker._private_tasks as task
           where task.id = job.task_id and task.identifier = $1 and job.locked_at is null and job.attempts < job.max_attempts`,
          [TASK],
        );
        await admin('notify "jobs:insert", \'{"count":1}\'');
        return (await read(stage, id)).status;
      },
      { timeout: 90_000, interval: 250 },
    )
    .toBe("failed");
  await expect.poll(failed).toEqual([expect.objectContaining({ attempts: 8 })]);
  const [job] = await failed();
  const asText = await command(["jobs", "failed"], environment());
  expect(asText.stdout).toContain("the disk of records is full");
  expect(asText.stdout).not.toMatch(/Maria|example\.com/);

  await admin("drop trigger refuse on signature.signature_records; drop function public.refuse()");
  expect(await commandJson(["jobs", "retry", String(job?.id)], environment())).toEqual([{ id: job?.id, task: TASK }]);
  await expect.poll(async () => (await read(stage, id)).status).toBe("completed");
  const { completion, events } = await evidenceOf(stage, id);
  expect(completion).toMatchObject({ participant_id: null });
  expect(events.map(({ action }: { action: string }) => action).slice(-2)).toEqual([
    "envelope.failed",
    "envelope.completed",
  ]);
  expect(await failed()).toEqual([]);
}, 180_000);

test("a document that cannot be sealed fails its envelope at the first attempt, and its job waits for a retry", async () => {
  const content = pdf({ ...ONE_PAGE, 2: "<< /Type /Pages /Kids 4 0 R /Count 1 >>", 4: "[3 0 R]" });
  const { id, documentId, links } = await sentWith(stage);
  const { rows } = await admin(
    "update signature.documents set sha256 = sha256($2::bytea), size = $3 where id = $1 returning object_id",
    [documentId, content, content.length],
  );
  const other = workerOf(stage);
  await storeContent(stage, rows[0].object_id, content, other).finally(other.end);
  expect((await complete(stage, links[0])).status).toBe(200);
  await expect
    .poll(async () => (await read(stage, id)).failure_reason, { timeout: 90_000, interval: 250 })
    .toBe("unsealable");
  // The last of its eight attempts, as the queue counts.
  await expect.poll(failed).toEqual([expect.objectContaining({ attempts: 8 })]);
  expect((await command(["jobs", "failed"], environment())).stdout).toContain("the PDF cannot be sealed");
});
