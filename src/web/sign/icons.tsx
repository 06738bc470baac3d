import type { ReactElement } from "react";

/** Icons of the signing page (Lucide, ISC), always beside words. */
export function Drawing({ lines }: { readonly lines: readonly string[] }): ReactElement {
  return (
    <svg
      className="line-icon"
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  );
}

export const MailIcon = () => (
  <Drawing lines={["M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2", "m22 7-10 6.5L2 7"]} />
);
export const FoldIcon = ({ isOpen }: { readonly isOpen: boolean }) => (
  <Drawing lines={[isOpen ? "m18 15-6-6-6 6" : "m6 9 6 6 6-6"]} />
);
export const PenIcon = () => (
  <Drawing
    lines={[
      "M13 21h8",
      "M21.17 6.81a1 1 0 0 0-3.98-3.98L3.84 16.17a2 2 0 0 0-.5.83l-1.32 4.35a.5.5 0 0 0 .62.62l4.35-1.32a2 2 0 0 0 .83-.5z",
    ]}
  />
);
export const DownloadIcon = () => (
  <Drawing lines={["M12 15V3", "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4", "m7 10 5 5 5-5"]} />
);
export const DoneIcon = () => <Drawing lines={["M20 6 9 17l-5-5"]} />;
export const WaitIcon = () => (
  <Drawing
    lines={[
      "M5 22h14",
      "M5 2h14",
      "M17 22v-4.17a2 2 0 0 0-.59-1.42L12 12l-4.41 4.41A2 2 0 0 0 7 17.83V22",
      "M7 2v4.17a2 2 0 0 0 .59 1.42L12 12l4.41-4.41A2 2 0 0 0 17 6.17V2",
    ]}
  />
);
export const BrokenLinkIcon = () => (
  <Drawing
    lines={[
      "m18.84 12.25 1.72-1.71a5 5 0 0 0-7.07-7.07l-1.72 1.71",
      "m5.17 11.75-1.71 1.71a5 5 0 0 0 7.07 7.07l1.71-1.71",
      "M8 2v3M2 8h3M16 19v3M19 16h3",
    ]}
  />
);
export const LockIcon = () => (
  <Drawing
    lines={["M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2", "M7 11V7a5 5 0 0 1 10 0v4"]}
  />
);
export const ClosedIcon = () => <Drawing lines={["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20", "m4.9 4.9 14.2 14.2"]} />;
export const CloudOffIcon = () => (
  <Drawing
    lines={[
      "m2 2 20 20",
      "M5.8 5.8A7 7 0 0 0 9 19h8.5a4.5 4.5 0 0 0 1.3-.2",
      "M21.5 16.5A4.5 4.5 0 0 0 17.5 10h-1.8A7 7 0 0 0 10 5.1",
    ]}
  />
);
export const PhoneIcon = () => (
  <Drawing lines={["M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2", "M12 18h.01"]} />
);
export const TabIcon = () => (
  <Drawing
    lines={["M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2", "M10 4v4", "M2 8h20", "M6 4v4"]}
  />
);
