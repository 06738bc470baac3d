import { isIP } from "node:net";
import { z } from "zod";
import { postgresUrl, wholeNumber } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

const hosts = z.string().transform((text, context): string[] => {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (names.length < 2 || new Set(names).size < names.length || !names.every((name) => HOST.test(name))) {
    context.addIssue({ code: "custom", message: "must be two or more hostnames, separated by commas" });
    return z.NEVER;
  }
  return names;
});

/** Addresses of this machine, separated by commas. */
const addresses = z.string().transform((text, context): string[] => {
  const list = text.split(",").map((address) => address.trim());
  if (!list.every((address) => isIP(address) !== 0)) {
    context.addIssue({ code: "custom", message: "must be IP addresses, separated by commas" });
    return z.NEVER;
  }
  return list;
});

/** Addresses of control servers. The key travels in the clear over http, so that is for loopback alone. */
const controlUrls = z.string().transform((text, context): string[] => {
  const list = text.split(",").map((url) => url.trim().replace(/\/+$/, ""));
  if (!list.every(isControlUrl)) {
    context.addIssue({
      code: "custom",
      message: "must be https:// addresses, separated by commas; http:// only of 127.0.0.1 or [::1]",
    });
    return z.NEVER;
  }
  return list;
});

function isControlUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin } = new URL(text);
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  return origin === text && (protocol === "https:" || (protocol === "http:" && isLoopback));
}

/** The settings of the nameserver, and of those who tell it about changes. */
export const dnsSettings = z.object({
  NAMESERVER_NAMES: setting(hosts.optional(), {
    meaning:
      "the names of the nameservers, separated by commas; each zone gets two of them. With four or more, a zone never gets the nameservers that its name had under another organization",
    inExamples: "ns1.selo.example,ns2.selo.example,ns3.selo.example,ns4.selo.example",
    atStart: "ns1.selo.test,ns2.selo.test,ns3.selo.test,ns4.selo.test",
  }),
  SELO_DNS_KEY: setting(
    z
      .string()
      .regex(/^dns_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/, "must be an API key of DNS")
      .optional(),
    { meaning: "the API key for `selo zone`; unlike `--key`, it is not visible in the list of processes" },
  ),
  PDNS_SERVER: setting(z.string().startsWith("/", "must be an absolute path").optional(), {
    meaning: "the file of `pdns_server` (PowerDNS 4.7 or later, with its module for Postgres)",
    shown: "found in `PATH`, or installed by `selo nameserver install`",
  }),
  DATABASE_DNS_URL: setting(postgresUrl.optional(), {
    meaning: "the nameserver's connection, as login `selo_dns`; required in production where `selo nameserver` runs",
    shown: "embedded",
    isLogin: true,
  }),
  NAMESERVER_ADDRESS: setting(addresses.default(["127.0.0.1"]), {
    meaning: "addresses on which the nameserver answers, separated by commas",
    shown: "`127.0.0.1`",
  }),
  NAMESERVER_PORT: setting(wholeNumber(1, 65_535).optional(), {
    meaning: "the nameserver's port, UDP and TCP",
    shown: "`53` in production; otherwise a free port from 5300 on that is kept",
  }),
  NAMESERVER_CONTROL_ADDRESS: setting(z.union([z.ipv4(), z.ipv6()], "must be an IP address").default("127.0.0.1"), {
    meaning:
      "the address on which gateways tell `selo nameserver` which zones changed. An address other than loopback needs TLS",
  }),
  NAMESERVER_CONTROL_PORT: setting(wholeNumber(1, 65_535).optional(), {
    meaning: "the port of `NAMESERVER_CONTROL_ADDRESS`",
    shown: "`5380` in production; otherwise a free port",
  }),
  NAMESERVER_CONTROL_KEY: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{32,}$/, "must be at least 32 visible ASCII characters")
      .optional(),
    {
      meaning:
        "the key that gateways present to nameservers, the same for all of them; required in production where `selo nameserver` runs",
      shown: "generated",
    },
  ),
  NAMESERVER_CONTROL_TLS_CERT: setting(z.string().min(1).optional(), {
    meaning: "a PEM file with the certificate, and its chain, that the nameserver presents to gateways",
  }),
  NAMESERVER_CONTROL_TLS_KEY: setting(z.string().min(1).optional(), {
    meaning: "a PEM file with the private key of that certificate",
  }),
  NAMESERVER_CONTROL_TLS_CA: setting(z.string().min(1).optional(), {
    meaning:
      "a PEM file with the certificates that gateways and workers trust for the nameservers' control: your own authority's, or the nameserver's own",
    shown: "the authorities that Node trusts",
  }),
  NAMESERVER_CONTROL_URLS: setting(controlUrls.optional(), {
    meaning:
      "where gateways reach the nameservers' control, one address for each nameserver, separated by commas: `https://ns1.example.net:5380`",
    shown: "that of the nameserver of `npm start`",
  }),
});
