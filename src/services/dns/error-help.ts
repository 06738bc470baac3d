/** What a caller can do about each error of the service. */
export const dnsErrorHelp: Readonly<Record<string, string>> = {
  zone_exists:
    "If the domain is yours, publish the TXT record that `detail` names at its present provider, and repeat the request. It then takes the name from a zone that is not `active`. " +
    "If your organization has it, `GET /orgs/{org_id}/zones` shows its id.",
  zone_not_allowed:
    "Use the domain that you registered, not a public suffix or a special name. If the name is below a zone of another organization, that zone must first delegate it with NS records. " +
    "If `detail` names a TXT record, publish it at the domain's present provider, and repeat the request.",
  zone_limit_reached:
    "Delete a zone that you no longer need, or ask the operator to change the plan. `GET /me` shows the limit.",
  record_invalid: "`detail` and `fields` name the member and say what it must be.",
  record_exists: "You need to do nothing: the zone already has this record. Change it with `PUT` on its id.",
  record_conflict:
    "Remove the other record first, or do both in one request: `PUT /orgs/{org_id}/zones/{zone_id}/records` validates only the result. At the apex, use ALIAS instead of CNAME.",
  record_limit_reached:
    "Delete records that you no longer need, or ask the operator to change the plan. `GET /me` shows the limit.",
  precondition_failed:
    "Somebody else changed the zone. Read the zone or its records again, decide again, and send the new `ETag` in `If-Match`.",
  import_invalid:
    "`detail` names each fault with its line and column, up to 100, and `fields` has one entry for each. Nothing was written. Correct the file and send it again.",
  dnssec_enabled:
    "You need to do nothing: `GET …/dnssec` shows the key and its DS records. `POST …/dnssec/rotate` gives the zone a new key.",
  dnssec_disabled: "The zone has no keys. `POST …/dnssec` creates the first one.",
  rotation_in_progress:
    "Finish the rotation first: once the DS record of the new key is at the registrar and the old one is gone, remove the old key with `DELETE …/dnssec/keys/{key_id}`.",
  last_key: "To stop signing, disable DNSSEC with `DELETE …/dnssec`. To replace the key, rotate first.",
  confirm_required:
    'Remove the DS records at the registrar, wait until they have expired from the caches of resolvers (a day or two), then send `{"confirm": true}`.',
};
