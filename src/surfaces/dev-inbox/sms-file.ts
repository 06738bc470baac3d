import type { SmsMessage } from "../../adapters/sms/sms-sender.ts";

/** The header of an SMS in the inbox, with the number. */
export const SMS_TO = "X-Selo-SMS-To";

/** An SMS in the form of the inbox's files: a message of RFC 5322, whose subject is the first line. */
export function smsFile(
  { id, to, text }: SmsMessage,
  at: Date,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const base64 = (written: string) => Buffer.from(written, "utf8").toString("base64");
  const [first = ""] = text.split("\n");
  const head = {
    Date: at.toUTCString(),
    "Message-ID": `<${id}@sms>`,
    Subject: `=?utf-8?B?${base64(first)}?=`,
    [SMS_TO]: to,
    ...headers,
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Transfer-Encoding": "base64",
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([...lines, "", base64(text), ""].join("\r\n"), "utf8");
}
