// What the screen's library splits text with. Making these costs 30 ms, a sixth of a start: they are made when text first needs them.

/** Each code unit is a character of its own (Latin, punctuation, arrows, boxes, dingbats), so no rule of Unicode joins any two. */
const separate = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27bf]*$/;

type Segments = Iterable<Intl.SegmentData>;

function* codeUnits(input: string): Generator<Intl.SegmentData> {
  for (let index = 0; index < input.length; index += 1) yield { segment: input.charAt(index), index, input };
}

/** As `Intl.Segmenter` of this granularity: `segment(text)` gives the parts in order. */
export function lateSegmenter(granularity: "grapheme" | "word"): { segment(text: string): Segments } {
  let made: Intl.Segmenter | undefined;
  return {
    segment: (text) => {
      if (granularity === "grapheme" && separate.test(text)) return codeUnits(text);
      made ??= new Intl.Segmenter(undefined, { granularity });
      return made.segment(text);
    },
  };
}

/** Whether a text is one emoji of the recommended set. */
export const oneEmoji = {
  test(text: string): boolean {
    emoji ??= /^\p{RGI_Emoji}$/v;
    return emoji.test(text);
  },
};
let emoji: RegExp | undefined;
