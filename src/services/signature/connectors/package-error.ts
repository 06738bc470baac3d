import { z } from "zod";

/** Why a storage did not take an object: signature.package_deliveries, and the answer of a test. */
export const packageError = z
  .object({
    status: z
      .int()
      .min(100)
      .max(599)
      .nullable()
      .meta({ description: "HTTP status of the answer. Null without an answer." }),
    code: z.string().meta({
      description:
        "The word of the storage, such as SignatureDoesNotMatch, NoSuchBucket or AccessDenied, if its answer has one. Otherwise http_status, redirect, timeout, dns_failed, address_refused, url_refused, connection_failed, connection_reset, tls_failed, protocol_error or response_too_large, as in attempts of webhooks; incomplete: the storage answered before it had the object; interrupted, unavailable: Selo could not finish the attempt.",
    }),
  })
  .meta({ title: "PackageError", words: "Why a storage did not take an object." });
