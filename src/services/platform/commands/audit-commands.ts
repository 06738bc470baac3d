import fs from "node:fs";
import type { Command } from "commander";
import type { AuditFault } from "../../../postgres/audit-reader.ts";
import { expectedCatalog } from "../../../postgres/migrate/catalog-dump.ts";
import { instant, uuid, wholeNumber } from "../../../surfaces/cli/arguments.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { counted, print } from "../../../surfaces/cli/print.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { readSeals } from "../../../verifier/audit-seals.ts";
import { readKeys } from "../../../verifier/keys.ts";
import { sealAudit } from "../audit/seal-audit.ts";
import { type AuditReport, verifyAudit } from "../audit/verify-audit.ts";

/** `selo audit`: the audit trail. */
export function addAuditCommands(program: Command, { services, withOperator, masterKeys }: CommandContext): void {
  const audit = program.command("audit");
  const readKept = <Kept>(file: string, read: (text: string) => Kept): Kept => {
    try {
      return read(fs.readFileSync(file, "utf8"));
    } catch (error) {
      return audit.error(`error: ${file}: ${error instanceof Error ? error.message : error}`);
    }
  };
  audit
    .command("verify")
    .description(
      "recompute every chain, seal, signature and record; exit code 1 if anything differs from what was recorded",
    )
    .option("--org <id or number>", "check only one organization, without the seals")
    .option(
      "--since <seal>",
      "check signatures only for proofs and signed records made after this seal; verify everything else in full",
      wholeNumber,
    )
    .option(
      "--keys <json>",
      "a copy of the platform keys, kept elsewhere: a response of GET /api/v1/public/platform-key",
    )
    .option("--seals <json>", "a copy of the seals, kept elsewhere: a response of GET /api/v1/public/audit-seals")
    .option("--json", "print JSON")
    .action(async ({ org, since, keys, seals, json }: VerifyOptions) => {
      if (org !== undefined && (keys ?? seals) !== undefined)
        audit.error("error: seals cover all organizations: give --keys and --seals without --org");
      if (org !== undefined && since !== undefined)
        audit.error("error: seals cover all organizations: give --since without --org");
      const kept = {
        keys: keys === undefined ? null : readKept(keys, readKeys),
        seals: seals === undefined ? null : readKept(seals, readSeals),
      };
      const printer = json ? new JsonPrinter() : new TextPrinter();
      const report = await withOperator(async (operator) => {
        const organizationId = org === undefined ? null : (await operator.findOrganization(org)).id;
        const reader = await operator.openAudit();
        try {
          const onProgress = progress();
          return await verifyAudit(reader, {
            services,
            organizationId,
            since: since ?? null,
            kept,
            structure: expectedCatalog(services),
            onFault: printer.fault,
            onProgress,
          });
        } finally {
          await reader.close();
        }
      });
      printer.end(report);
      if (report.faults > 0) process.exitCode = 1;
    });
  audit
    .command("seal")
    .description("seal the chains now, as the worker does daily")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const number = await withOperator(async (operator) => sealAudit(operator, await masterKeys()));
      print(json, { seal: number }, () => `seal ${number}`);
    });
  audit
    .command("erase")
    .description("erase personal data (addresses, names) from events; the chains stay as they are")
    .requiredOption("--org <id or number>", "the organization whose events are erased")
    .option("--before <time>", "erase events before this ISO 8601 time, or before this day (00:00 UTC)", instant)
    .option("--event <id>", "erase only this event", uuid)
    .option("--json", "print JSON")
    .action(async ({ org, before, event, json }: { org: string; before?: Date; event?: string; json?: boolean }) => {
      if ((before === undefined) === (event === undefined)) audit.error("error: give either --before or --event");
      const erased = await withOperator(async (operator) =>
        operator.audit.erasePersonalData((await operator.findOrganization(org)).id, before ?? null, event ?? null),
      );
      print(json, { erased_events: erased }, () => `erased personal data of ${counted(erased, "event")}`);
    });
}

interface VerifyOptions {
  readonly org?: string;
  readonly since?: number;
  readonly keys?: string;
  readonly seals?: string;
  readonly json?: boolean;
}

const PROGRESS_MS = 2_000;

/** Prints the progress of a long verification on stderr. */
function progress(): (done: number, all: number) => void {
  let saidAt = performance.now();
  return (done, all) => {
    if (performance.now() - saidAt < PROGRESS_MS) return;
    saidAt = performance.now();
    process.stderr.write(`${Math.floor((100 * done) / all)} %\n`);
  };
}

/** Prints each fault as a line when it is found, then a summary. */
class TextPrinter {
  readonly fault = (fault: AuditFault): void => {
    // Text that somebody wrote into the database must not control the terminal.
    process.stdout.write(`${printable(line(fault))}\n`);
  };

  end(report: AuditReport): void {
    process.stdout.write(`${describe(report)}\n`);
  }
}

/** Prints one JSON object; its list of faults is written as they are found. */
class JsonPrinter {
  #isFirst = true;

  readonly fault = (fault: AuditFault): void => {
    process.stdout.write(`${this.#isFirst ? '{"faults": [\n' : ",\n"}${printable(JSON.stringify(fault))}`);
    this.#isFirst = false;
  };

  end({ faults: _, events, verified, ...report }: AuditReport): void {
    const counts = JSON.stringify({ events, ...verified, ...report });
    process.stdout.write(`${this.#isFirst ? '{"faults": [' : "\n"}], ${counts.slice(1)}\n`);
  }
}

function describe({ events, verified, seals, last_sealed_at, unsealed_events, faults }: AuditReport): string {
  const records = Object.entries(verified).map(([word, count]) => counted(count, singular(word)));
  const counts = [counted(events, "event"), ...records].join(", ");
  const covered =
    seals === 0
      ? counts
      : `${counts}, ${counted(seals, "seal")}, the last of ${last_sealed_at?.toISOString()}; ${counted(unsealed_events, "event")} came after it`;
  return `${covered}: ${faults === 0 ? "everything is as it was recorded" : counted(faults, "fault")}`;
}

/** `signed record` of `signed_records`. */
function singular(word: string): string {
  return word.replaceAll("_", " ").replace(/s$/, "");
}

function line({ subject_type, subject_id, seq, event_id, fault }: AuditFault): string {
  const place = seq === null ? "" : subject_id === null ? ` ${seq}` : `, event ${seq}`;
  const where = subject_id === null ? `${subject_type}${place}` : `${subject_type} ${subject_id}${place}`;
  return `${where}${event_id === null ? "" : ` (${event_id})`}: ${fault}`;
}
