// A webhook that is removed while something else is under way with it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebhookStage } from "../../support/webhook-stage.ts";

let stage: WebhookStage;
beforeAll(async () => {
  stage = await WebhookStage.open();
});
afterAll(() => stage?.close());

test("a removal that waits for a replay keeps nobody's results from being written", async () => {
  const hook = await stage.hook(500);
  const { admin } = stage.selo.database;
  const replay = await admin.connect();
  try {
    // What a replay holds while it is at it.
    await replay.query("begin");
    await replay.query("select from webhooks.endpoints where id = $1 for key share", [hook.id]);
    const removal = stage.ask(hook.organization, "DELETE", `/webhooks/${hook.id}`);
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(1);
    await hook.emit();
    await hook.attempted(1);
    expect((await hook.endpoint())?.consecutive_failures).toBe(1);
    await replay.query("commit");
    expect((await removal).status).toBe(204);
  } finally {
    replay.release(true);
  }
});
