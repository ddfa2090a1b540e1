// Where skills and commands lie, and what a person has accepted of those that the repository brings.
import path from "node:path";
import {
  type ExtensionKind,
  personExtensions,
  placesBelow,
  projectExtensions,
} from "../../io/config/extension-files.ts";
import type { ExtensionOrigin } from "../../protocol/extension.ts";
import type { Program } from "../program/program.ts";

export type ExtensionContext = Pick<Program, "workspace" | "places" | "config" | "project">;

export interface Place {
  place: string;
  /** The folder of many that it lies in. */
  root: string;
  prefix?: string;
  origin: ExtensionOrigin;
  trusted?: string;
}

/** Of folders that mostly are not there. Later ones go before earlier ones. */
export function extensionPlaces(kind: ExtensionKind, context: ExtensionContext): Place[] {
  const { workspace, places, config } = context;
  const { trust, plugins } = config();
  const { accepted } = trust;
  const ofPlugins = plugins.flatMap(({ skills, commands }) => (kind === "skill" ? skills : commands));
  const own = personExtensions(kind, places.home, places.config);
  const brought = places.home === workspace ? [] : projectExtensions(kind, workspace);
  const kept = kind === "skill" ? placesBelow(kind, path.join(context.project.root, "routines")) : [];
  return [
    ...[...ofPlugins, ...kept, ...own].map((each) => ({ ...each, origin: "user" as const })),
    ...brought.map((each) => {
      const what = `${kind} ${path.relative(workspace, each.place)}`;
      const known = accepted.find((item) => item.what === what)?.value;
      return { ...each, origin: "project" as const, ...(typeof known === "string" && { trusted: known }) };
    }),
  ];
}
