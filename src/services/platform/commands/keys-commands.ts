import { type Command, Option } from "commander";
import { installationName } from "../../../config/config.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";
import { type Reencrypted, reencrypt } from "../keys/reencrypt.ts";
import { rotatePlatformKeys } from "../keys/rotate-platform-keys.ts";
import { sealedColumnsOf } from "../keys/sealed-columns.ts";

const ENVIRONMENTS = { live: ["live"], test: ["test"], all: ["live", "test"] } as const;

/** `selo keys`: the platform's keys, and the master key that encrypts their seeds. */
export function addKeysCommands(program: Command, house: CommandHouse): void {
  const { services, withOperator, masterKeys, config } = house;
  const keys = program.command("keys");
  keys
    .command("list")
    .description("list the keys that seal evidence and the certificates that seal PDFs, active and retired")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const known = await withOperator(async (operator) => [
        ...(await operator.keys.list()).map((key) => ({ ...key, expires_at: null })),
        ...(await operator.keys.certificates()).map(({ certificate_id, environment, status, not_after, ...times }) => ({
          key_id: certificate_id,
          algorithm: "RSA-3072",
          environment,
          status,
          ...times,
          expires_at: not_after,
        })),
      ]);
      printList(json, known, "no keys", {
        key: ({ key_id }) => key_id,
        environment: ({ environment }) => environment,
        algorithm: ({ algorithm }) => algorithm,
        status: ({ status }) => status,
        created: ({ created_at }) => created_at,
        retired: ({ retired_at }) => retired_at,
        expires: ({ expires_at }) => expires_at,
      });
    });
  keys
    .command("rotate")
    .description(
      "create new platform keys and certificates and retire the current ones; everything that those sealed stays verifiable",
    )
    .addOption(new Option("--env <environment>", "whose").choices(["live", "test", "all"]).default("all"))
    .option("--json", "print JSON")
    .action(async ({ env, json }: { env: keyof typeof ENVIRONMENTS; json?: boolean }) => {
      const pairs = await withOperator(async (operator) =>
        rotatePlatformKeys(operator, await masterKeys(), ENVIRONMENTS[env], installationName(config())),
      );
      const active = pairs.map(({ environment, ed25519, mlDsa87, certificate }) => ({
        environment,
        key_id: ed25519.keyId,
        pq_key_id: mlDsa87.keyId,
        certificate_id: certificate.certificateId,
      }));
      print(json, active, () =>
        active
          .map(
            ({ environment, key_id, pq_key_id, certificate_id }) =>
              `${environment}: ${key_id} and ${pq_key_id} sign now, ${certificate_id} seals PDFs`,
          )
          .join("\n"),
      );
    });
  keys
    .command("reencrypt")
    .description("encrypt every stored secret again under SELO_MASTER_KEY; exit code 1 if any are left")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const sealedColumns = await sealedColumnsOf(services);
      const result = await withOperator(async (operator) => reencrypt(operator, await masterKeys(), sealedColumns));
      print(json, result, () => describe(result));
      if (result.left.length > 0) process.exitCode = 1;
    });
}

function describe({ master_key_id, reencrypted, left }: Reencrypted): string {
  return [
    ...reencrypted.map(({ column, count }) => `${column}: ${count} encrypted again under master key ${master_key_id}`),
    ...left.map(
      (some) =>
        `${some.column}: ${some.count} LEFT under master key ${some.master_key_id}; add that key to SELO_MASTER_KEY_OTHERS and run this again`,
    ),
  ].join("\n");
}
