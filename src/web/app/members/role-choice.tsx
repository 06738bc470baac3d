import type { ReactElement } from "react";
import type { RoleName } from "../api/auth.ts";
import { usePlace } from "../place.tsx";
import { memberWords } from "./words.ts";

interface RoleChoiceProps {
  readonly roles: readonly RoleName[];
  readonly chosen: RoleName;
  /** The role of today. */
  readonly today?: RoleName;
  readonly onChoice: (role: RoleName) => void;
}

/** A role, each with what it may do. */
export function RoleChoice({ roles, chosen, today, onChoice }: RoleChoiceProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = memberWords[language];
  return (
    <fieldset className="stack tight">
      <legend className="out-of-sight">{words.role}</legend>
      {roles.map((role) => (
        <label key={role} className="check box">
          <input type="radio" name="role" value={role} checked={role === chosen} onChange={() => onChoice(role)} />
          <span className="grow">
            <span>
              <b>{common.roles[role].name}</b> {role === today && <span className="tag">{words.today}</span>}
            </span>
            <span className="quiet small">{common.roles[role].text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
