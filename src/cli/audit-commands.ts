import fs from "node:fs";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { masterKeysOf } from "../master-key.ts";
import { sealAudit } from "../operations/platform/seal-audit.ts";
import { type AuditFault, type AuditReport, verifyAudit } from "../operations/platform/verify-audit.ts";
import { readSeals } from "../verifier/audit-seals.ts";
import { readKeys } from "../verifier/keys.ts";
import { instant, uuid } from "./arguments.ts";
import { counted, print } from "./print.ts";
import { withOperator } from "./with-operator.ts";

/** `selo audit`: the audit trail. */
export function addAuditCommands(program: Command): void {
  const audit = program.command("audit").description("the audit trail");
  const readKept = <Kept>(file: string, read: (text: string) => Kept): Kept => {
    try {
      return read(fs.readFileSync(file, "utf8"));
    } catch (error) {
      return audit.error(`error: ${file}: ${error instanceof Error ? error.message : error}`);
    }
  };
  audit
    .command("verify")
    .description("recompute every chain and every seal; exit code 1 when anything is not as it was recorded")
    .option("--org <id or number>", "the chains of one organization only")
    .option("--keys <json>", "platform keys kept elsewhere, as GET /api/v1/public/platform-key answered them once")
    .option("--seals <json>", "seals kept elsewhere, as GET /api/v1/public/audit-seals answered them once")
    .option("--json", "print JSON")
    .action(async ({ org, keys, seals, json }: { org?: string; keys?: string; seals?: string; json?: boolean }) => {
      if (org !== undefined && (keys ?? seals) !== undefined)
        audit.error("error: seals cover all organizations: give --keys and --seals without --org");
      const kept = {
        keys: keys === undefined ? null : readKept(keys, readKeys),
        seals: seals === undefined ? null : readKept(seals, readSeals),
      };
      const report = await withOperator(async (operator) =>
        verifyAudit(operator, org === undefined ? null : await operator.findOrganization(org), kept),
      );
      print(json, report, () => describe(report));
      if (report.faults.length > 0) process.exitCode = 1;
    });
  audit
    .command("seal")
    .description("seal the chains now, as the worker does daily")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const number = await withOperator((operator) => sealAudit(operator, masterKeysOf(readConfig())));
      print(json, { seal: number }, () => `seal ${number}`);
    });
  audit
    .command("erase")
    .description("erase personal data (addresses, names) from events; the chains stay as they are")
    .requiredOption("--org <id or number>", "whose events")
    .option("--before <time>", "ISO 8601 time, or a day (00:00 UTC): events before it", instant)
    .option("--event <id>", "one event only", uuid)
    .option("--json", "print JSON")
    .action(async ({ org, before, event, json }: { org: string; before?: Date; event?: string; json?: boolean }) => {
      if ((before === undefined) === (event === undefined)) audit.error("error: give either --before or --event");
      const erased = await withOperator(async (operator) =>
        operator.audit.erasePersonalData((await operator.findOrganization(org)).id, before ?? null, event ?? null),
      );
      print(json, { erased_events: erased }, () => `erased personal data of ${counted(erased, "event")}`);
    });
}

function describe({ events, seals, last_sealed_at, unsealed_events, faults }: AuditReport): string {
  const covered =
    seals === 0
      ? counted(events, "event")
      : `${counted(events, "event")}, ${counted(seals, "seal")}, the last of ${last_sealed_at?.toISOString()}; ${counted(unsealed_events, "event")} came after it`;
  if (faults.length === 0) return `${covered}: everything is as it was recorded`;
  return [...faults.map(line), `${covered}: ${counted(faults.length, "fault")}`].join("\n");
}

function line({ subject_type, subject_id, seq, event_id, fault }: AuditFault): string {
  const where = subject_id === null ? `${subject_type} ${seq}` : `${subject_type} ${subject_id}, event ${seq}`;
  return `${where}${event_id === null ? "" : ` (${event_id})`}: ${fault}`;
}
