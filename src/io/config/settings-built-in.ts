// Settings of the plugins that fettle brings: language servers, databases, the browser, documentation, images, Docker.
import { type Row, flag, own, text, texts, variable, whole } from "./setting-kinds.ts";

export const builtInSettings = {
  "code.enabled": own(
    flag,
    "True: language servers find definitions, uses and errors, and errors after edits are told; docs/guide/language-servers.md.",
    false,
  ),
  "code.servers.*": own(
    texts(),
    "Program and arguments of the language server for typescript, python, go or rust; else one on PATH.",
  ),
  "code.rounds": own(whole(0, 20), "How often in one turn errors after an edit are told to the model; 0: never.", 5),
  "code.memory_mb": own(whole(128), "Memory that one language server may hold, MB; with more it is ended.", 3_000),
  "database.files.*": own(text, "SQLite database that the model may read by the name NAME; docs/guide/databases.md."),
  "database.postgres.*.host": own(
    text,
    "host[:port] of the PostgreSQL database NAME; it is reached there and nowhere else; docs/guide/databases.md.",
  ),
  "database.postgres.*.connection": own(
    variable,
    "Variable of your environment that holds its connection string; else fettle login database:NAME keeps it.",
  ),
  "database.write": own(
    texts(),
    "Databases that may be changed: each change asks, and shows the rows that it would touch.",
    [],
  ),
  "browser.enabled": own(
    flag,
    "True: the model may use the machine's Chromium on the hosts of browser.hosts; docs/guide/browser.md.",
    false,
  ),
  "browser.hosts": own(texts(), "host[:port] that the browser reaches, such as localhost:3000.", []),
  "browser.program": own(text, "The browser, a Chromium without windows; else the first on PATH."),
  "browser.pictures": own(text, "Folder that keeps pictures to compare pages with."),
  "docs.enabled": own(
    flag,
    "True: the model may look up what installed packages say of themselves; docs/guide/documentation.md.",
    false,
  ),
  "images.enabled": own(
    flag,
    "True: the model may look at images without their metadata, and read the words in them; docs/guide/images.md.",
    false,
  ),
  "docker.enabled": own(
    flag,
    "True: the model may see containers, images and logs of a Docker daemon; docs/guide/docker.md.",
    false,
  ),
  "docker.host": own(text, "Its socket, or host:port of this machine; else DOCKER_HOST, else /var/run/docker.sock."),
  "docker.build": own(flag, "True: images may be built from the workspace; each build asks.", false),
} satisfies Record<string, Row>;
