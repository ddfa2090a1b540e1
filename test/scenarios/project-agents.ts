// The agents of a project's steps as scripts: what each answers, by its name and by how often it was asked.
import type { ModelServerRequest, Step } from "../support/model-server.ts";
import { messagesOf } from "./scene.ts";

export interface AgentAsked {
  /** All that it was told, with what was shown as data. */
  told: string;
  /** How often an agent of that name was asked, from 1. */
  visit: number;
  /** Its own answers before, in the same conversation. */
  said: number;
}

export type AgentScript = (asked: AgentAsked) => unknown;

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content));

const nameOf = (system: string): string =>
  (/You are (?:an?|the) ([A-Za-z ]+?)(?: of a debugging session)?[.:]/.exec(system)?.[1] ?? "none").toLowerCase();

/** A text is said as it is; anything else as JSON. */
export function projectAgents(scripts: Readonly<Record<string, AgentScript>>): (request: ModelServerRequest) => Step {
  const visits = new Map<string, number>();
  return (request) => {
    const messages = messagesOf(request);
    const name = nameOf(textOf(messages[0]?.content));
    const said = messages.filter(({ role }) => role === "assistant").length;
    if (said === 0) visits.set(name, (visits.get(name) ?? 0) + 1);
    const script = scripts[name];
    if (!script) return { status: 400, say: `no script for ${name}` };
    const told = messages
      .slice(1)
      .map(({ content }) => textOf(content))
      .join("\n");
    const answer = script({ told, visit: visits.get(name) ?? 1, said });
    return { say: typeof answer === "string" ? answer : JSON.stringify(answer) };
  };
}

/** Markdown with the sections that it was asked for. */
export const sections = (told: string, more: Readonly<Record<string, string>> = {}): string => {
  const titles = [
    ...new Set([...told.matchAll(/(?:^|\\n|\n)## ([A-Z][\w -]*)/g)].map(([, title = ""]) => title.trim())),
  ];
  return titles.map((title) => `## ${title}\n\n${more[title] ?? "Words about it."}\n`).join("\n");
};

export const brief = {
  ...{
    name: "Rounder",
    what: "A library that rounds.",
    value: "Rounding is right",
    active: ["Round half up"],
    context: "",
  },
  decisions: [{ choice: "JavaScript", why: "It is there" }],
};
export const requirements = {
  categories: [
    {
      category: "Rounding",
      code: "ROUND",
      now: ["A caller rounds 1.5 to 2", "A caller rounds to places"],
      later: ["Bankers"],
    },
  ],
};
export const roadmap = {
  overview: "First whole numbers, then places.",
  phases: [
    {
      name: "Whole numbers",
      goal: "1.5 becomes 2",
      requirements: ["ROUND-01"],
      success: ["round(1.5) is 2", "round(1.4) is 1"],
    },
    {
      name: "Places",
      goal: "Places work",
      depends_on: [1],
      requirements: ["ROUND-02"],
      success: ["round(1.25, 1) is 1.3", "round(1, 2) is 1"],
    },
  ],
};
export const areas = {
  areas: [
    {
      name: "Halves",
      why: "they can go two ways",
      questions: [
        {
          question: "Which way do halves go?",
          options: [
            { name: "up", what: "as at school" },
            { name: "even", what: "as banks do" },
          ],
        },
      ],
    },
  ],
};
export const context = {
  boundary: "Whole numbers only",
  areas: [{ name: "Halves", decisions: [{ text: "Halves go up", answer: 1 }] }],
  references: [{ path: "README.md", why: "what it promises" }],
};
export const task = {
  ...{
    name: "Round",
    files: ["src/round.js"],
    read_first: ["README.md"],
    action: "Halves go up (D-01)",
    verify: "npm test",
    done: "1.5 is 2",
  },
};
export const onePlan = {
  ...{
    number: 1,
    objective: "Round half up",
    files: ["src/round.js"],
    requirements: ["ROUND-01"],
    truths: ["round(1.5) is 2"],
  },
  ...{ artifacts: [{ path: "src/round.js", provides: "round" }], tasks: [task] },
  threats: [{ category: "Tampering", component: "input", disposition: "accept", mitigation: "none is needed" }],
};

export const goodAgents: Readonly<Record<string, AgentScript>> = {
  interviewer: ({ told }) => {
    if (told.includes("Describe this project")) return brief;
    if (told.includes("Write the requirements")) return requirements;
    if (told.includes("Which grey areas")) return areas;
    if (told.includes("Write down what was decided")) return context;
    return { questions: [] };
  },
  "project researcher": ({ told }) => sections(told),
  "research synthesizer": ({ told }) => sections(told.split("research of the project")[0] ?? told),
  roadmapper: () => roadmap,
  "phase researcher": ({ told }) => sections(told, { "Open Questions": "None." }),
  "pattern mapper": () => ({
    files: [
      {
        path: "src/round.js",
        role: "library",
        flow: "transform",
        analog: { path: "src/floor.js", from: 1, to: 99, match: "exact" },
      },
    ],
  }),
  planner: () => ({ plans: [onePlan] }),
  "plan checker": () => ({ issues: [] }),
};

export const repository: Readonly<Record<string, string>> = {
  "README.md": "# Rounder\n",
  "package.json": '{"name":"rounder","scripts":{"test":"node --test"}}\n',
  "src/index.js": 'export { floor } from "./floor.js";\n',
  "src/floor.js": "export const floor = (value) => Math.floor(value);\n",
  "idea.md": "A library that rounds half up.\n",
};
