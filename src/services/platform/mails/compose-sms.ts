import { isIP } from "node:net";
import { gsmLength, gsmStart, gsmText } from "../../../adapters/sms/gsm-text.ts";
import type { SmsMessage } from "../../../adapters/sms/sms-sender.ts";
import { type MailContext, readMail } from "./compose-mail.ts";

/** One message of the GSM alphabet. */
const MOST = 160;
/** Android hands texts of up to 140 bytes to the browser that waits for a code. */
const WISHED = 140;
/** What of an organization's name always stands there: enough to recognize it. */
const LEAST_NAME = 20;
/** A longer host leaves no place for words. */
const MOST_HOST = 40;

/** An SMS, and what of it programs look for. */
export interface ComposedSms extends SmsMessage {
  readonly date: Date;
  readonly code: string;
}

/**
 * Composes the SMS of a row, as one message of the GSM alphabet. The same row, prepared alike, always makes the same message.
 * @param given the row as SQL returns it
 * @throws Error for a kind that goes by mail alone, and for words that are longer than a message
 */
export function composeSms(given: unknown, { id, site, kinds, prepared = {} }: MailContext): ComposedSms {
  const { row, kind, language, facts, data } = readMail(given, kinds, prepared);
  if (kind.sms === undefined) throw new Error(`a mail of kind ${row.kind} has no SMS`);
  const { to, text, code } = kind.sms(data as never, facts, language);
  const end = boundCode(site.publicUrl, code);
  const rest = gsmLength(gsmText(text(""))) + gsmLength(end);
  const room = Math.min(Math.max(WISHED - rest, LEAST_NAME), MOST - rest);
  const whole = `${gsmText(text(gsmStart(unlinked(gsmText(facts.organization)), room)))}${end}`;
  if (gsmLength(whole) > MOST) throw new Error(`the SMS of kind ${row.kind} is longer than one message`);
  return { id, to, text: whole, date: row.created_at, code };
}

/** A name that telephones show as words: one that reads as an address would be a link in a message that is ours. */
const unlinked = (name: string): string => name.replaceAll(/\.(?=[^\s.])/g, ". ").replaceAll(/:(?=\/)/g, ": ");

/**
 * The last line, by which a telephone proposes the code on pages of this host alone (origin-bound one-time codes):
 * https://wicg.github.io/sms-one-time-codes/
 */
function boundCode(publicUrl: string, code: string): string {
  const { hostname } = new URL(publicUrl);
  const isName = isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return isName && hostname.length <= MOST_HOST ? `\n\n@${hostname} #${code}` : "";
}
