import { Dialog } from "@base-ui/react/dialog";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Mark } from "../../design/mark.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import type { Refusal } from "../api/refusal.ts";
import { type IconName, LineIcon } from "../parts/line-icon.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace, useSession } from "../place.tsx";
import type { AppWords } from "../words.ts";
import { OrganizationMenu } from "./organization-menu.tsx";

interface SideProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The navigation: beside the page, and on a phone a drawer. */
export function Side({ isOpen, onClose }: SideProps): ReactElement {
  const { words } = usePlace();
  return (
    <>
      <aside className="side only-desk" aria-label={words.panel.navigation}>
        <Navigation />
      </aside>
      <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="scrim" />
          <Dialog.Popup className="app side drawer" aria-label={words.panel.navigation}>
            <Navigation />
            <Dialog.Close className="button square close" aria-label={words.panel.closeMenu}>
              <LineIcon name="close" />
            </Dialog.Close>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}

interface Entry {
  readonly to: string;
  readonly icon: IconName;
  readonly word: keyof Pick<AppWords["panel"], "overview" | "members" | "tokens" | "dnsKeys" | "organization">;
  /** Without it the page is not shown. */
  readonly scope?: string;
}

const FIRST: readonly Entry[] = [{ to: "/", icon: "overview", word: "overview" }];
/** Only what has a page. */
const ACCOUNT: readonly Entry[] = [
  { to: "/tokens", icon: "key", word: "tokens", scope: "tokens:manage" },
  { to: "/dns-keys", icon: "globe", word: "dnsKeys", scope: "dns_keys:manage" },
  { to: "/members", icon: "people", word: "members", scope: "members:read" },
  { to: "/organization", icon: "organization", word: "organization" },
];

function Navigation(): ReactElement {
  const { words, keeper } = usePlace();
  const { user, scopes } = useSession();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const shown = (entries: readonly Entry[]) =>
    entries.filter(({ scope }) => scope === undefined || scopes.includes(scope));
  return (
    <>
      <Link to="/" className="brand" aria-label={words.home}>
        <Mark size={24} /> Selo
      </Link>
      <OrganizationMenu onRefusal={setRefusal} />
      <nav aria-label={words.panel.main}>
        <Entries entries={shown(FIRST)} />
        {shown(ACCOUNT).length > 0 && (
          <div>
            <h2>{words.panel.account}</h2>
            <Entries entries={shown(ACCOUNT)} />
          </div>
        )}
      </nav>
      <div className="me">
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <Link to="/account">
          <LineIcon name="person" />
          <span className="grow">
            <b className="cut">
              <Foreign text={user.name} />
            </b>
            <span className="small cut">
              <Foreign text={user.email} />
            </span>
          </span>
          <span className="out-of-sight">{words.panel.you}</span>
        </Link>
        <button
          type="button"
          onClick={() => {
            void keeper.signOut().then(setRefusal);
          }}
        >
          <LineIcon name="leave" />
          {words.panel.signOut}
        </button>
      </div>
    </>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  const { words } = usePlace();
  return (
    <ul>
      {entries.map(({ to, icon, word }) => (
        <li key={to}>
          <Link to={to} activeOptions={{ exact: to === "/" }}>
            <LineIcon name={icon} />
            {words.panel[word]}
          </Link>
        </li>
      ))}
    </ul>
  );
}
