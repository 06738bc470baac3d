// Erasures, and what is left anywhere in a database, for tests.
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { type Erased, eraseEnvelope } from "../../../src/services/signature/store.ts";
import { loadRemoveObject } from "../../../workers/signature/remove-object.ts";
import type { Worker } from "../../support/compose-mails.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { objectsOf } from "../../support/uploads.ts";
import type { EnvelopeStage } from "./envelope-stage.ts";

/** What `selo envelope erase` does. */
export async function erase(
  { selo, tenantId }: Pick<EnvelopeStage, "selo" | "tenantId">,
  envelopeId: string,
  participantId: string | null = null,
): Promise<Erased> {
  // Each command has a connection of its own.
  const operator = await Operator.connect(selo.database.adminUrl);
  try {
    return await eraseEnvelope(operator, { tenantId, envelopeId, participantId });
  } finally {
    await operator.close();
  }
}

/** The tables in which each of these texts stands, in any column of any row; the queue of jobs included. */
export async function placesOf(
  { database }: Pick<TestGateway, "database">,
  texts: readonly string[],
): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.admin.query<{ name: string }>(
    `select relation.oid::regclass::text as name from pg_class as relation
     where relation.relkind = 'r' and relation.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found = tables.map(
    ({ name }) => `select '${name.replaceAll("'", "''")}' as place, given.text from unnest($1::text[]) as given (text)
      where exists (select from ${name} as kept where strpos(lower(to_jsonb(kept)::text), lower(given.text)) > 0)`,
  );
  const { rows } = await database.admin.query<{ place: string; text: string }>(
    `${found.join(" union all ")} order by place`,
    [texts],
  );
  return Object.fromEntries(
    texts.map((text) => [text, rows.filter((row) => row.text === text).map(({ place }) => place)]),
  );
}

/** Runs the jobs that remove objects; answers the objects that are left. */
export async function removeObjects({ selo }: Pick<EnvelopeStage, "selo">, { context }: Worker): Promise<string[]> {
  const objects = objectsOf(selo);
  const { rows } = await selo.database.admin.query<{ payload: unknown }>(
    `select job.payload from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = 'signature__remove_object'`,
  );
  for (const { payload } of rows) await loadRemoveObject({ objects })(payload, context);
  const left: string[] = [];
  for await (const { id } of objects.list()) left.push(id);
  return left.sort();
}
