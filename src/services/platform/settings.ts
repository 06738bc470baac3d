import { z } from "zod";
import { cronSchedule } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

export const platformSettings = z.object({
  AUDIT_SEAL_SCHEDULE: setting(cronSchedule.default("0 3 * * *"), {
    meaning: "when the worker seals the audit trail: minute, hour, day, month, weekday as in a crontab, in UTC",
  }),
});
