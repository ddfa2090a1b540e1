// The databases that the person has named: what of each may be read, and which may be changed.
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { splitHost } from "../../base/host-pattern.ts";
import type { DatabaseOptions } from "../built-in/database/spec.ts";
import type { PostgresOptions } from "../built-in/postgres/spec.ts";
import type { McpServer } from "../mcp/spec.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

export function databaseServers(settings: Settings, here: Here): McpServer[] {
  const { database } = settings;
  const known = [...Object.keys(database.files), ...Object.keys(database.postgres)];
  for (const name of database.write)
    if (!known.includes(name)) here.notices.push(`database.write names ${name}, and there is no such database.`);
  return [...fileServers(settings, here), ...postgresServer(settings, here)];
}

/** What of a database SQLite reads: the file, and the log beside it while somebody writes. */
function fileServers({ database }: Settings, { workspace, notices }: Here): McpServer[] {
  const databases = Object.entries(database.files).flatMap(([name, given]) => {
    const file = path.resolve(workspace, given ?? "");
    if (existsSync(file)) return [{ name, file: realpathSync(file) }];
    notices.push(`database.files.${name}: ${given} is not there, so it is not offered.`);
    return [];
  });
  if (databases.length === 0) return [];
  const options: DatabaseOptions = { databases };
  const read = databases.flatMap(({ file }) => [file, `${file}-wal`, `${file}-shm`]).filter((file) => existsSync(file));
  const reader = builtInServer("database", { options, read, more: { programs: [], foreign: true } });
  const writable = databases.filter(({ name }) => database.write.includes(name));
  if (writable.length === 0) return [reader];
  // SQLite makes its journal beside the file.
  const write = [...new Set(writable.map(({ file }) => path.dirname(file)))];
  const changes: DatabaseOptions = { databases: writable };
  return [reader, builtInServer("database-write", { options: changes, write, more: { programs: [], foreign: true } })];
}

function postgresServer({ database }: Settings, { notices }: Here): McpServer[] {
  const named = Object.entries(database.postgres).flatMap(([name, { host = "", connection }], at) => {
    const { name: hostName, port = "5432" } = splitHost(host);
    if (hostName === "" || hostName.includes("*")) {
      notices.push(`database.postgres.${name}: host is missing, so it is not offered.`);
      return [];
    }
    const granted = `${hostName.includes(":") ? `[${hostName}]` : hostName}:${port}`;
    const variable = `FETTLE_DATABASE_${at}`;
    return [{ name, host: granted, variable, connection, writable: database.write.includes(name) }];
  });
  if (named.length === 0) return [];
  const options: PostgresOptions = { databases: named.map(({ connection: _connection, ...each }) => each) };
  const secrets = named.map(({ name, variable, connection }) => ({
    ...{ variable, secret: `database:${name}` },
    ...(connection !== undefined && { from: connection }),
  }));
  const hosts = [...new Set(named.map(({ host }) => host))];
  return [
    builtInServer("postgres", { options, hosts, more: { programs: [], foreign: true, ownHosts: true, secrets } }),
  ];
}
