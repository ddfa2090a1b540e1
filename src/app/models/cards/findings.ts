// What was found out about arms: one small file of the user's, which every start looks into.
import path from "node:path";
import { type Findings, readFindings } from "../../../io/store/findings.ts";
import type { Program } from "../../program/program.ts";

export const findingsFile = ({ places }: Pick<Program, "places">): string => path.join(places.state, "arms.json");

export const findingsOf = (program: Pick<Program, "places">): Findings => readFindings(findingsFile(program));
