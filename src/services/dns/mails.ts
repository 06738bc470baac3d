import type { MailKind } from "../../surfaces/mail/mail-kind.ts";
import { delegationMails } from "./delegation/delegation-mails.ts";
import { dnssecMails } from "./dnssec/dnssec-mails.ts";

/** Mails of DNS hosting. */
export const dnsMails: Readonly<Record<string, MailKind>> = { ...delegationMails, ...dnssecMails };
