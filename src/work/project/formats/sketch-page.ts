// A page that a model has drawn, as it is kept: opened in a browser, it loads nothing and sends nothing.

/** Of the page around it, and by inheritance of the drawn one. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'";

/**
 * The drawn page stands in a frame of its own: its scripts run, and it can neither lead away, open a window nor send a form
 * (https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox). A policy in the page alone would not
 * hold where it leads.
 */
export function closedPage(html: string): string {
  const drawn = html.trim().replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return [
    "<!doctype html>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}; frame-src 'none'">`,
    '<meta http-equiv="x-dns-prefetch-control" content="off">',
    "<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style>",
    `<iframe sandbox="allow-scripts" srcdoc="${drawn}"></iframe>`,
    "",
  ].join("\n");
}
