import { z } from "zod";
import { wholeNumber } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

export const webhookSettings = z.object({
  WEBHOOK_RETENTION_DAYS: setting(wholeNumber(12, 3_650).default(30), {
    meaning:
      "how long events and the results of their deliveries are kept and can be replayed; at least 12, since retries may take ten",
    inDatabase: "webhook_retention_days",
  }),
});
