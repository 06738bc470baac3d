import { z } from "zod";
import { wholeNumber } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

export const webhookSettings = z.object({
  WEBHOOK_RETENTION_DAYS: setting(wholeNumber(12, 3_650).default(30), {
    meaning:
      "how long events and the results of their deliveries are kept and can be replayed; at least 12, since retries may take ten",
    inDatabase: "webhook_retention_days",
  }),
  WEBHOOK_ALLOW_LOOPBACK: setting(z.enum(["0", "1"]).default("0"), {
    meaning:
      "`1`: test tokens may register `http://` addresses of the worker's machine; set it for both the gateway and the worker, and never in production",
    atStart: "1",
  }),
});
