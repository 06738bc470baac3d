import type { ReactElement } from "react";
import { Head } from "../parts/head.tsx";
import { usePlace } from "../place.tsx";
import { Organizations } from "./organizations.tsx";
import { Password } from "./password.tsx";
import { Sessions } from "./sessions.tsx";
import { accountWords } from "./words.ts";
import { You } from "./you.tsx";

/** /app/account: what belongs to the person, in every organization. */
export function Account(): ReactElement {
  const { language } = usePlace();
  const words = accountWords[language];
  return (
    <>
      <Head title={words.title} lead={words.lead} />
      <You />
      <Password />
      <Sessions />
      <Organizations />
    </>
  );
}
