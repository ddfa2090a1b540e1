import type { Firewall } from "../firewall/firewall.ts";

const longestHeld = 16 * 1024;

/** Where a block of several lines begins that is not whole yet; its lines by themselves look harmless. */
function openBlock(text: string): number {
  const begins = text.lastIndexOf("-----BEGIN ");
  return begins >= 0 && !/-----END [^\n]*\n/.test(text.slice(begins)) ? begins : text.length;
}

/**
 * Output as it is shown while it comes: without secrets, so by whole lines and blocks, as a secret may come in two pieces.
 * What has no end yet is shown with the next piece, or when `end` says that nothing more comes.
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
      const whole = Math.min(line, openBlock(held));
      release(held.length - whole > longestHeld ? held.length : whole);
    },
    end: () => release(held.length),
  };
}
