import { newId } from "../../../adapters/crypto/new-id.ts";
import type { DataKey } from "../documents/data-key.ts";
import { hasNumbers, keptNumbers } from "../envelopes/personal-numbers.ts";
import type { Recipient } from "./template-input.ts";

/**
 * Recipients as SQL takes them: numbers are masked, and encrypted for the participant that each recipient becomes.
 * @param key the data key of the caller; null where no recipient has a number
 */
export function keptRecipients(recipients: readonly Recipient[], key: DataKey | null): readonly object[] {
  // Ids in the order of the places, because lists show participants in the order of their ids.
  const ids = recipients.map(newId).sort();
  const inOrder = recipients
    .map((recipient, at) => ({ at, place: recipient.order_index }))
    .sort((one, other) => one.place - other.place || one.at - other.at);
  const idOf = new Map(inOrder.map(({ at }, rank) => [at, ids[rank] ?? newId()]));
  return recipients.map(({ cpf, ssn_last4, phone, ...recipient }, at) => {
    const numbers = { cpf, ssn_last4, phone };
    const participant_id = idOf.get(at) ?? newId();
    return hasNumbers(numbers)
      ? { ...recipient, participant_id, ...keptNumbers(numbers, participant_id, key) }
      : recipient;
  });
}
