// An image that is dropped on the terminal comes as a paste of its path, spelt as for a shell or as an address.
const image = /\.(?:png|jpe?g|gif|webp)$/i;

/** The mention that attaches it; undefined: the paste is something else. */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.length > 4_096 || /[\x00-\x1f\x7f]/.test(text)) return undefined;
  const path = pathIn(text);
  if (path === undefined || !path.startsWith("/") || !image.test(path) || path.includes('"')) return undefined;
  return /[\s'`]/.test(path) ? `@"${path}" ` : `@${path} `;
}

function pathIn(text: string): string | undefined {
  if (text.startsWith("file://")) {
    try {
      const { hostname, pathname } = new URL(text);
      return hostname === "" || hostname === "localhost" ? decodeURIComponent(pathname) : undefined;
    } catch {
      return undefined;
    }
  }
  const [, quoted] = /^'([^']+)'$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  // A blank that no backslash stands before separates words: that is prose, or several files.
  return /(?<!\\)\s/.test(text) ? undefined : text.replace(/\\(.)/g, "$1");
}
