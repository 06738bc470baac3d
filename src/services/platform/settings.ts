import { z } from "zod";
import { cronSchedule } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

export const platformSettings = z.object({
  AUDIT_SEAL_SCHEDULE: setting(cronSchedule.default("0 3 * * *"), {
    meaning: "when the worker seals the audit trail: minute, hour, day, month, weekday as in a crontab, in UTC",
  }),
  WEBHOOK_ALLOW_LOOPBACK: setting(z.enum(["0", "1"]).default("0"), {
    meaning:
      "`1`: webhooks and connectors of test tokens may have `http://` addresses of the worker's machine; set it for both the gateway and the worker, and never in production",
    atStart: "1",
  }),
});
