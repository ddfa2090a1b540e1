// The library's editor, for which a paste of any length is a chip.
import { Editor } from "@earendil-works/pi-tui";

/** The library takes each letter of a shorter one by itself. */
const longPaste = 50_000;

export class PromptEditor extends Editor {
  protected override handlePaste(pasted: string): void {
    if (pasted.length <= longPaste) return super.handlePaste(pasted);
    const text = pasted
      .replace(/\r\n?/g, "\n")
      .replaceAll("\t", "    ")
      .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, "");
    const lines = text.split("\n").length;
    this.pasteCounter += 1;
    this.pastes.set(this.pasteCounter, text);
    this.insertTextAtCursor(`[paste #${this.pasteCounter} ${lines > 10 ? `+${lines} lines` : `${text.length} chars`}]`);
  }
}
