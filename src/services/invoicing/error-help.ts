/** What a caller can do about each error of invoices. */
export const invoicingErrorHelp: Readonly<Record<string, string>> = {
  invalid_reference:
    "`fields` names each id that is unknown or archived. List customers, services or issuers to find the right one; an archived one takes no new invoice.",
  competence_in_future:
    "Give the day on which the service was rendered, at the latest today in the time zone of the organization.",
  municipal_code_required:
    "Give the service its `municipal_code`, as the municipality lists it, or name a service that has one.",
  provider_not_ready:
    "`GET /issuers/{id}` lists in `problems` what is missing, such as the certificate. A draft (`emit: false`) can wait until then.",
  file_missing: "The file comes with the authorization of the invoice. Read the invoice and its `status` first.",
  reason_too_short: "Say in at least 15 characters why the invoice is canceled: the tax authority keeps the reason.",
  issuer_missing: "Add an issuer with `POST /issuers`. The first one is the default.",
  invalid_status: "Read the invoice and its `status`, and do what this status allows.",
  not_draft: "An invoice that was transmitted stays. Cancel it instead, once it is authorized.",
};
