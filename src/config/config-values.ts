import { isIP } from "node:net";
import { z } from "zod";
import { parseMasterKey } from "../adapters/crypto/sealed-secret.ts";
import type { MailAddress } from "./config.ts";

// Parsers for the values of environment variables. No message repeats a value: a value may hold a credential.

export const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, error)
    .transform(Number)
    .pipe(z.number().min(least, error).max(most, error));
};
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" });
export const masterKey = z.string().transform((text, context) => {
  try {
    return parseMasterKey(text);
  } catch {
    context.addIssue({ code: "custom", message: "must be 32 bytes, as 64 hexadecimal digits or in base64" });
    return z.NEVER;
  }
});

/** Long enough that nobody guesses it, and only characters that a header may carry. */
export const metricsToken = z.string().regex(/^[\x21-\x7e]{16,}$/, "must be at least 16 visible ASCII characters");

/** Lowest and highest value of minute, hour, day, month and weekday. */
const CRON_FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** Five fields as in a crontab: numbers, ranges, lists, * and steps of *; the syntax that graphile-worker understands. */
export const cronSchedule = z.string().refine((text) => {
  const fields = text.split(" ");
  return (
    fields.length === CRON_FIELDS.length &&
    CRON_FIELDS.every(([least, greatest], place) =>
      fields[place]?.split(",").every((item) => {
        const [, first, last = first] = /^(?:\*(?:\/[1-9]\d?)?|(\d{1,2})(?:-(\d{1,2}))?)$/.exec(item) ?? [null, "-1"];
        if (first === undefined) return true;
        return Number(first) >= least && Number(last) >= Number(first) && Number(last) <= greatest;
      }),
    )
  );
}, "must be five fields as in a crontab (UTC), minute hour day month weekday");

export const masterKeys = z.string().transform((text, context): Buffer[] => {
  try {
    return text.split(",").map(parseMasterKey);
  } catch {
    context.addIssue({ code: "custom", message: "must be keys like SELO_MASTER_KEY, separated by commas" });
    return z.NEVER;
  }
});

/** `true` is not offered: it would believe any address that a caller writes. */
export const trustedProxies = z.string().transform((text, context): number | string[] => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const proxies = text.split(",").map((proxy) => proxy.trim());
  if (!proxies.every(isProxy)) {
    const message = "must be the number of proxies, or their addresses: IP, CIDR, loopback, linklocal, uniquelocal";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
  return proxies;
});

/** `*` is not offered: every origin that may call us from a browser must be named. */
export const origins = z.string().transform((text, context): string[] => {
  const list = text.split(",").map((origin) => origin.trim());
  if (!list.every((origin) => URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin)) {
    context.addIssue({
      code: "custom",
      message: "must be origins such as https://app.example.com, separated by commas",
    });
    return z.NEVER;
  }
  return list;
});

/** The form that node:dns takes: an IP address, with a port if it is not 53. */
export const dnsServers = z.string().transform((text, context): string[] => {
  const servers = text.split(",").map((server) => server.trim());
  if (!servers.every(isDnsServer)) {
    context.addIssue({
      code: "custom",
      message: "must be IP addresses, separated by commas, each with :port if it is not 53",
    });
    return z.NEVER;
  }
  return servers;
});

function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes("%");
  const [, ipv6, ipv4, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? [];
  const isAddress = ipv6 === undefined ? isIP(ipv4 ?? "") === 4 : isIP(ipv6) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

function isProxy(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The address may contain credentials, so no message repeats it. */
export const smtpUrl = z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" });

/** Whether a service may be posted to that gets personal data: by TLS, and without it on this machine alone. No name and password stand in the address. */
function isServiceAddress(text: string): boolean {
  const { protocol, hostname, username, password } = URL.parse(text) ?? new URL("none:");
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return username === "" && password === "" && (protocol === "https:" || (protocol === "http:" && isHere));
}

/** A service that the operator chooses. */
export const serviceUrl = z
  .string()
  .max(2048)
  .refine(
    isServiceAddress,
    "must be an https:// address without name and password; http:// at a loopback address alone",
  );

/** A credential in a header: only characters that a header may carry. */
export const bearerToken = z.string().regex(/^[\x21-\x7e]{1,2048}$/, "must be visible ASCII characters");

const mailbox = String.raw`([^\s<>"@,;:\\()[\]]+@[^\s<>"@,;:\\()[\]]+)`;
const senderForm = new RegExp(String.raw`^(?:${mailbox}|([^<>\p{Cc}"]*[^<>\p{Cc}"\s]) <${mailbox}>)$`, "u");

/** Text on one line, without control characters. */
export const oneLine = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "must be one line of plain text");

/** An address that everybody reads: a name and password in it would stand in mails, receipts and logs. */
export const publicAddress = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .regex(/^[^@?#\\]*$/, "must have no user, no password, and nothing after its path");

/** The target of a link in a page. Other schemes, such as `javascript:`, are refused. */
export const linkAddress = z.url({
  protocol: /^(https?|mailto)$/,
  error: "must be an https://, http:// or mailto: address",
});

/** `address` or `Name <address>`, both without characters that could end a header. */
export const sender = z.string().transform((text, context): MailAddress => {
  const [, alone, name = "", named] = senderForm.exec(text) ?? [];
  const address = alone ?? named;
  if (address === undefined) {
    context.addIssue({ code: "custom", message: "must be an e-mail address, or a name and the address in <>" });
    return z.NEVER;
  }
  return { name, address };
});
