import { z } from "zod";
import { postgresUrl } from "../../config-values.ts";
import { setting } from "../../setting.ts";

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

const hosts = z.string().transform((text, context): string[] => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (names.length < 2 || new Set(names).size < names.length || !names.every((name) => HOST.test(name))) {
    context.addIssue({ code: "custom", message: "must be two or more hostnames, separated by commas" });
    return z.NEVER;
  }
  return names;
});

export const dnsSettings = z.object({
  NAMESERVER_NAMES: setting(hosts.optional(), {
    meaning:
      "the names of the nameservers, separated by commas; each zone gets two of them. With four or more, a zone never gets those that its name had under another organization",
    inExamples: "ns1.selo.example,ns2.selo.example,ns3.selo.example,ns4.selo.example",
    atStart: "ns1.selo.test,ns2.selo.test,ns3.selo.test,ns4.selo.test",
  }),
  SELO_DNS_KEY: setting(
    z
      .string()
      .regex(/^dns_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/, "must be an API key of DNS")
      .optional(),
    { meaning: "the API key for `selo zone`; unlike `--key` it does not show in the list of processes" },
  ),
  DATABASE_DNS_URL: setting(postgresUrl.optional(), {
    meaning:
      "the nameserver's connection, as login `selo_dns`, which reads what the nameserver answers and nothing else",
    isLogin: true,
  }),
});
