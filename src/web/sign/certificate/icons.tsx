/** Icons of the steps of a certificate (Lucide, ISC), always beside words. */
import { Drawing } from "../icons.tsx";

export const FileKeyIcon = () => (
  <Drawing
    lines={[
      "M14 2v5a1 1 0 0 0 1 1h5",
      "M4 12v6M4 14h2",
      "M9.65 22H18a2 2 0 0 0 2-2V8a2.4 2.4 0 0 0-.7-1.7l-3.6-3.6A2.4 2.4 0 0 0 14 2H6a2 2 0 0 0-2 2v4",
      "M6 20a2 2 0 1 1-4 0 2 2 0 0 1 4 0",
    ]}
  />
);
export const OpenLockIcon = () => (
  <Drawing
    lines={["M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2", "M7 11V7a5 5 0 0 1 9.9-1"]}
  />
);
export const SentIcon = () => (
  <Drawing
    lines={[
      "M14.54 21.69a.5.5 0 0 0 .93-.03l6.5-19a.5.5 0 0 0-.63-.63l-19 6.5a.5.5 0 0 0-.03.93l7.93 3.18a2 2 0 0 1 1.11 1.11z",
      "m21.85 2.15-10.94 10.94",
    ]}
  />
);
export const EyeIcon = () => (
  <Drawing
    lines={[
      "M2.06 12.35a1 1 0 0 1 0-.7 10.75 10.75 0 0 1 19.88 0 1 1 0 0 1 0 .7 10.75 10.75 0 0 1-19.88 0",
      "M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0",
    ]}
  />
);
export const TurnIcon = () => <Drawing lines={["M21 12a9 9 0 1 1-6.22-8.56"]} />;
export const LaterIcon = () => <Drawing lines={["M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0"]} />;
export const BadgeIcon = () => (
  <Drawing
    lines={[
      "M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76Z",
      "m16 9-5.5 5.5L8 12",
    ]}
  />
);
