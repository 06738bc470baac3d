import type { Service } from "../../services/service.ts";
import type { CommandGroup } from "../../surfaces/cli/command-group.ts";

/** The commands that belong to no service. */
export const ownGroups = (services: readonly Service[], seloVersion: string): readonly CommandGroup[] => [
  {
    words: {
      start:
        "run everything in one process: Postgres (unless DATABASE_URL is set), migrations, demo organization, gateway, worker",
      gateway: "run the HTTP process",
      worker: "run the job process",
      migrate: "upgrade the database of DATABASE_ADMIN_URL (or DATABASE_URL, or the embedded one) to this version",
    },
    load: async () => {
      const { addProcessCommands } = await import("./process-commands.ts");
      return (program, context) => addProcessCommands(program, context, services);
    },
  },
  {
    words: {
      status: "show what is running, where and in which version, and what is missing; starts and changes nothing",
    },
    exitCodes: { status: { 1: "something is missing" } },
    load: async () => {
      const { addStatusCommand } = await import("./status-command.ts");
      return (program, context) => addStatusCommand(program, context, services, seloVersion);
    },
  },
  {
    words: {
      backup: "write all data, as of one instant, into one file; users can keep working",
      restore: "restore a backup into an empty or new database, and upgrade it to this version",
    },
    exitCodes: {
      backup: { 1: "content of documents is missing" },
      restore: { 1: "content of documents is missing, or a part could not be rebuilt" },
    },
    load: async () => {
      const { addBackupCommands } = await import("./backup-commands.ts");
      return (program, context) => addBackupCommands(program, context, services, seloVersion);
    },
  },
];
