import type { Firewall } from "../firewall/firewall.ts";

const longestHeld = 16 * 1024;

/**
 * Output as it is shown while it comes: without secrets, so by whole lines, as a secret may come in two pieces. What has
 * no line end yet is shown with the next one, or when `end` says that nothing more comes.
 */
export function shownOutput(
  firewall: Firewall,
  show: (text: string) => void,
): { push(text: string): void; end(): void } {
  let held = "";
  const release = (length: number): void => {
    if (length > 0) show(firewall.redact(held.slice(0, length)).text);
    held = held.slice(length);
  };
  return {
    push(text) {
      held += text;
      const line = Math.max(held.lastIndexOf("\n"), held.lastIndexOf("\r")) + 1;
      release(held.length - line > longestHeld ? held.length : line);
    },
    end: () => release(held.length),
  };
}
