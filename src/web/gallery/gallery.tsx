import type { ReactElement } from "react";
import type { StaticPage } from "../site/static-page.ts";
import { Buttons, Colours, Signs, Type } from "./basics.tsx";
import { Checks, Claims, Code, Facts, Side } from "./content.tsx";
import { DropZones, Fields, Files } from "./inputs.tsx";
import { galleryVerdicts } from "./verdicts.tsx";

/** Every component of the design in each of its states: /dev/design, for people who develop. */
export const gallery: StaticPage = {
  name: "design",
  path: null, // served by designPlugin, in development only
  languages: ["en"],
  isPrivate: true,
  title: () => "Components · Selo",
  description: () => "Every component of the design in each of its states",
  content: () => <Gallery />,
};

function Gallery(): ReactElement {
  return (
    <>
      <div className="page ask">
        <div>
          <h1>Components</h1>
          <p className="lead">Every component of the design in each of its states. Only development shows this page.</p>
        </div>
      </div>
      {galleryVerdicts()}
      <div className="page columns">
        <Side />
        <Colours />
        <Type />
        <Signs />
        <Buttons />
        <Fields />
        <DropZones />
        <Files />
        <Facts />
        <Checks />
        <Claims />
        <Code />
      </div>
    </>
  );
}
