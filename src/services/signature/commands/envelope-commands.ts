import type { Command } from "commander";
import { uuid } from "../../../surfaces/cli/arguments.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { counted, print } from "../../../surfaces/cli/print.ts";
import { type Erased, eraseEnvelope } from "../store.ts";

interface EraseOptions {
  readonly org: string;
  readonly envelope: string;
  readonly participant?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `selo envelope`: envelopes of organizations. */
export function addEnvelopeCommands(program: Command, { withOperator }: CommandContext): void {
  program
    .command("envelope")
    .description("envelopes of organizations")
    .command("erase")
    .description("erase the personal data of an envelope that has ended; its chain and signed records stay as they are")
    .requiredOption("--org <id or number>", "the organization of the envelope")
    .requiredOption("--envelope <id>", "the envelope", uuid)
    .option("--participant <id>", "erase only this participant; the documents stay", uuid)
    .option("--yes", "confirm; only needed on a terminal")
    .option("--json", "print JSON")
    .action(async ({ org, envelope, participant, yes, json }: EraseOptions) => {
      if (process.stdout.isTTY && !yes)
        throw new CommandRefused(
          `error: this erases ${participant === undefined ? "the envelope with its documents" : "the participant"}, and nothing brings it back; add --yes to confirm`,
        );
      const erased = await withOperator(async (operator) =>
        eraseEnvelope(operator, {
          tenantId: (await operator.findOrganization(org)).id,
          envelopeId: envelope,
          participantId: participant ?? null,
        }),
      );
      print(json, erased, () => inWords(erased));
    });
}

function inWords({ is_new, erased_at, participants, documents, objects, mails, events }: Erased): string {
  if (!is_new) return `was erased before, at ${erased_at}`;
  const rows = [counted(participants, "participant"), counted(documents, "document"), counted(mails, "mail")];
  return `erased ${rows.join(", ")} and personal data of ${counted(events, "event")}; ${counted(objects, "stored file")} will be removed by a worker`;
}
