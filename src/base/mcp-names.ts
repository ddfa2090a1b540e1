// Names of MCP servers and of their tools.

/** What a person may call a server: no name of a tool can then be read in two ways. */
export const isServerName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9-]|_(?!_|$)){0,31}$/i.test(name);

/** The name by which a model calls a tool of a server. */
export const calledAs = (server: string, tool: string): string => `${server}__${tool}`;

/** How a person or a model names what a server offers to be read. */
export const resourceName = (server: string, uri: string): string => `${server}:${uri}`;

/** Undefined: it is no such name; of which server it would be is for the caller to look up. */
export function namedResource(name: string): { server: string; uri: string } | undefined {
  const at = name.indexOf(":");
  const server = name.slice(0, at);
  const uri = name.slice(at + 1);
  return at > 0 && isServerName(server) && /^\S{1,2000}$/.test(uri) ? { server, uri } : undefined;
}

/** Undefined: it is no such name. */
export function namedTool(name: string): { server: string; tool: string } | undefined {
  const at = name.indexOf("__");
  const server = name.slice(0, at);
  const tool = name.slice(at + 2);
  return at > 0 && isServerName(server) && tool !== "" ? { server, tool } : undefined;
}
