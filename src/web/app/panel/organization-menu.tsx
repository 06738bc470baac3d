import { Menu } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { Foreign } from "../../shell/foreign.tsx";
import type { RoleName } from "../api/auth.ts";
import type { Refusal } from "../api/refusal.ts";
import { LineIcon } from "../parts/line-icon.tsx";
import { usePlace, useSession } from "../place.tsx";

/** The organization, and the way to the others of the person. Who has one alone sees only its name. */
export function OrganizationMenu({
  onRefusal,
}: {
  readonly onRefusal: (refusal: Refusal | null) => void;
}): ReactElement {
  const { words, keeper } = usePlace();
  const { organization, organizations, role } = useSession();
  if (organizations.length < 2)
    return (
      <p className="org">
        <OrganizationName name={organization.name} role={role} />
      </p>
    );
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="org">
        <OrganizationName name={organization.name} role={role} />
        <LineIcon name="choose" />
        <span className="out-of-sight">{words.panel.switchOrganization}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="above" sideOffset={4} align="start">
          <Menu.Popup className="app menu">
            <Menu.RadioGroup
              value={organization.id}
              onValueChange={(id: string) => {
                if (id !== organization.id) void keeper.switchTo(id).then(onRefusal);
              }}
            >
              {organizations.map((each) => (
                <Menu.RadioItem key={each.id} value={each.id} closeOnClick>
                  <OrganizationName name={each.name} role={each.role} />
                  <Menu.RadioItemIndicator>
                    <LineIcon name="done" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function OrganizationName({ name, role }: { readonly name: string; readonly role: RoleName }): ReactElement {
  const { words } = usePlace();
  return (
    <span className="grow">
      <b className="cut">
        <Foreign text={name} />
      </b>
      <span className="small quiet">{words.roles[role].name}</span>
    </span>
  );
}
