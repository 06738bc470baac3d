import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Mark } from "../../design/mark.tsx";
import type { Environment } from "../api/session-keeper.ts";
import { LineIcon } from "../parts/line-icon.tsx";
import { usePlace } from "../place.tsx";

interface TopBarProps {
  readonly environment: Environment;
  readonly onMenu: () => void;
}

const ENVIRONMENTS: readonly Environment[] = ["live", "test"];

/** On a phone the way to the menu; everywhere the environment. */
export function TopBar({ environment, onMenu }: TopBarProps): ReactElement {
  const { words, keeper } = usePlace();
  const { panel } = words;
  return (
    <header className="topbar">
      <button type="button" className="button square only-phone" aria-label={panel.openMenu} onClick={onMenu}>
        <LineIcon name="menu" />
      </button>
      <Link to="/" className="brand only-phone" aria-label={words.home}>
        <Mark size={24} /> Selo
      </Link>
      <fieldset className="switch">
        <legend className="out-of-sight">{panel.environment}</legend>
        {ENVIRONMENTS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === environment}
            onClick={() => keeper.setEnvironment(each)}
          >
            {panel[each]}
          </button>
        ))}
      </fieldset>
    </header>
  );
}
