import { Drawing } from "../icons.tsx";

export const UnlinkIcon = () => (
  <Drawing lines={["M9 17H7A5 5 0 0 1 7 7", "M15 7h2a5 5 0 0 1 4 8", "M8 12h4", "M2 2l20 20"]} />
);
export const UndoIcon = () => <Drawing lines={["M9 14 4 9l5-5", "M4 9h10.5a5.5 5.5 0 0 1 0 11H11"]} />;
export const PaperIcon = () => (
  <Drawing
    lines={[
      "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.7.7l3.6 3.6A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z",
      "M14 2v5a1 1 0 0 0 1 1h5",
      "M10 9H8",
      "M16 13H8",
      "M16 17H8",
    ]}
  />
);
