import type { Command } from "commander";
import { z } from "zod";
import { httpAddress } from "../../../surfaces/cli/arguments.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { calledService } from "../../platform/commands/called-service.ts";
import { dnsSettings } from "../settings.ts";
import { ZoneClient } from "./zone-client.ts";

/** Options of every command that calls the API. */
export interface ClientOptions {
  readonly key?: string;
  readonly url?: string;
}

/** Adds the options of {@link ClientOptions}. */
export const withClientOptions = (command: Command): Command =>
  command
    .option("--key <key>", "an API key of DNS (default: SELO_DNS_KEY, or the key of the demo organization)")
    .option("--url <url>", "the service (default: PUBLIC_URL, or where npm start runs)", httpAddress);

/** @throws CommandRefused without a key */
export function clientOf(context: CommandContext, { key, url }: ClientOptions): ZoneClient {
  const config = context.config();
  const called = calledService(config, {
    url,
    credential: key ?? config.of(dnsSettings).SELO_DNS_KEY ?? null,
    givenBy: "--key (or SELO_DNS_KEY)",
    ofDemo: (demo) => z.string().safeParse(demo["dns_key"]).data ?? null,
  });
  return new ZoneClient(called.url, called.credential);
}
