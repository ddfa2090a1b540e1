// The tools of the built-in plugins, known without starting one. What each does is said here, and nowhere else.
import type { Json } from "../../protocol/message.ts";
import type { McpClass } from "../mcp/spec.ts";
import type { BuiltInTool } from "./serving/spec.ts";

export const builtInNames = [
  "code",
  "database",
  "database-write",
  "postgres",
  "browser",
  "docs",
  "images",
  "docker",
  "docker-build",
] as const;
export type BuiltInName = (typeof builtInNames)[number];

const words = { type: "string" };
const schema = (properties: { [name: string]: Json }, required: string[]): Json => ({
  ...{ type: "object", properties, required },
});

const tool = (name: string, of: McpClass, description: string, inputSchema: Json): BuiltInTool => ({
  ...{ name, description, inputSchema, class: of },
  hints: {},
});

const database = { database: { type: "string", description: "its name; needed where there are several" } };

const rehearse = tool(
  "rehearse",
  "reversible",
  "Run one INSERT, UPDATE or DELETE, tell the rows that it touches, and take it back.",
  schema({ sql: words, ...database }, ["sql"]),
);

const change = tool(
  "change",
  "irreversible",
  "Make one INSERT, UPDATE or DELETE. A person is shown the rows first.",
  schema({ sql: words, ...database }, ["sql"]),
);

const place = { path: words, symbol: words, line: { type: "integer", description: "from 1" } };

const target = { type: "string", description: "CSS, text=Words or role=button[name=Words]" };
const dependency = { package: words, version: { type: "string", description: "where there are several" } };
const picture = { picture: { type: "string", description: "its name" } };
const whole = { whole: { type: "boolean", description: "the whole page, not what a window shows" } };

/** What a click on a host of this machine does is the project's own; elsewhere nobody knows (io/config/built-in.ts). */
const browser: readonly BuiltInTool[] = [
  tool("open", "read", "Open an address in a browser.", schema({ url: words }, ["url"])),
  tool("read", "read", "What the page says, with its buttons, links and fields.", schema({ target }, [])),
  tool("click", "irreversible", "Click on something.", schema({ target }, ["target"])),
  tool(
    "type",
    "irreversible",
    "Fill a field, and press Enter if wanted.",
    schema({ target, text: words, enter: { type: "boolean" } }, ["target", "text"]),
  ),
  tool("console", "read", "What the page wrote to the console, and its uncaught errors.", schema({}, [])),
  tool("network", "read", "What the page requested, with the status of each.", schema({}, [])),
  tool("screenshot", "read", "A picture of the page or of a part.", schema({ target, ...whole }, [])),
  tool(
    "keep",
    "compensable",
    "Keep a picture of the page, to compare with later.",
    schema({ target, ...whole, ...picture }, ["picture"]),
  ),
  tool(
    "compare",
    "read",
    "Compare the page with a picture that was kept; what differs is shown red.",
    schema(
      { target, ...whole, ...picture, allowed: { type: "number", description: "share of pixels that may differ" } },
      ["picture"],
    ),
  ),
];

const tools: Readonly<Record<BuiltInName, readonly BuiltInTool[]>> = {
  code: [
    tool(
      "diagnostics",
      "read",
      "Errors and warnings of a language server (type errors, unresolved names) in files.",
      schema({ paths: { type: "array", items: words } }, ["paths"]),
    ),
    tool(
      "definition",
      "read",
      "Where the symbol that stands in a file is defined. Without a line, its first place in the file.",
      schema(place, ["path", "symbol"]),
    ),
    tool(
      "references",
      "read",
      "All places in the project that use the symbol that stands in a file.",
      schema(place, ["path", "symbol"]),
    ),
    tool(
      "symbols",
      "read",
      "Functions, classes and other symbols of the project by name.",
      schema({ query: words }, ["query"]),
    ),
    tool(
      "rename",
      "reversible",
      "Rename a symbol everywhere in the project. The edits are made at once, as by edit.",
      schema({ ...place, new_name: words }, ["path", "symbol", "new_name"]),
    ),
  ],
  database: [
    tool("schema", "read", "Tables, views and indexes of a SQLite database, as SQL.", schema(database, [])),
    tool(
      "query",
      "read",
      "Run one SELECT on a SQLite database and return at most 200 rows. Nothing can be written.",
      schema({ sql: words, ...database }, ["sql"]),
    ),
    tool(
      "explain",
      "read",
      "The query plan of one SELECT on a SQLite database.",
      schema({ sql: words, ...database }, ["sql"]),
    ),
  ],
  browser,
  "database-write": [rehearse, change],
  docs: [
    tool(
      "packages",
      "read",
      "Packages that this project has installed, with their versions.",
      schema({ query: words }, []),
    ),
    tool(
      "read",
      "read",
      "What a package says of itself: its introduction, and its files with types and texts.",
      schema({ ...dependency, file: words, line: { type: "integer", description: "from 1" } }, ["package"]),
    ),
    tool(
      "find",
      "read",
      "Where a package's own types and texts say something; declarations first.",
      schema({ ...dependency, words }, ["package", "words"]),
    ),
  ],
  docker: [
    tool(
      "containers",
      "read",
      "Docker's containers: name, image, state, ports.",
      schema({ all: { type: "boolean", description: "those that have ended, too" } }, []),
    ),
    tool("images", "read", "Docker's images with tags and size.", schema({}, [])),
    tool("inspect", "read", "Facts of a container or an image, by name or id.", schema({ name: words }, ["name"])),
    tool(
      "logs",
      "read",
      "What a container has written, its last lines.",
      schema({ name: words, lines: { type: "integer", description: "100 where absent" } }, ["name"]),
    ),
  ],
  "docker-build": [
    tool(
      "build",
      "irreversible",
      "Build an image from a folder of the workspace and its Dockerfile, whose commands Docker runs, with the network.",
      schema({ tag: words, folder: words, file: { type: "string", description: "in place of Dockerfile" } }, ["tag"]),
    ),
  ],
  images: [
    tool("look", "read", "An image without its metadata, and what that says.", schema({ path: words }, ["path"])),
    tool(
      "text",
      "read",
      "The words that stand in an image.",
      schema({ path: words, language: { type: "string", enum: ["eng", "deu"] } }, ["path"]),
    ),
  ],
  postgres: [
    tool("schema", "read", "Tables, views, keys and indexes of a PostgreSQL database.", schema(database, [])),
    tool(
      "query",
      "read",
      "Run one SELECT on a PostgreSQL database, in a read-only transaction, and return at most 200 rows.",
      schema({ sql: words, ...database }, ["sql"]),
    ),
    tool(
      "explain",
      "read",
      "The query plan of one statement on a PostgreSQL database, which is not run.",
      schema({ sql: words, ...database }, ["sql"]),
    ),
    rehearse,
    change,
  ],
};

export const builtInTools = (name: BuiltInName): readonly BuiltInTool[] => tools[name];
