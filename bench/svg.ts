// Line and bar charts as SVG that reads in light and dark, without any library.

export interface Line {
  name: string;
  colour: string;
  /** Over equally many steps. */
  values: readonly number[];
  dashed?: boolean;
}

interface Frame {
  title: string;
  x: string;
  y: string;
  /** What the last step of the x axis is. */
  until: number;
}

const [width, height] = [720, 360];
const room = { left: 56, right: 150, top: 40, bottom: 44 };
const inner = { width: width - room.left - room.right, height: height - room.top - room.bottom };

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** 1, 2 or 5 times a power of ten, so that there are about four of them up to `most`. */
function tickStep(most: number): number {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

const text = (x: number, y: number, said: string, more = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(said)}</text>`;

function axes({ title, x, y, until }: Frame, most: number): string[] {
  const step = tickStep(most);
  const rows = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
  return [
    text(room.left, 20, title, 'class="title"'),
    ...rows.flatMap((value) => {
      const at = room.top + inner.height * (1 - value / most);
      return [
        `<line class="grid" x1="${room.left}" x2="${room.left + inner.width}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}"/>`,
        text(room.left - 8, at + 4, String(Math.round(value * 100) / 100), 'text-anchor="end"'),
      ];
    }),
    ...[0, 0.5, 1].map((share) =>
      text(room.left + share * inner.width, height - 24, String(Math.round(share * until)), 'text-anchor="middle"'),
    ),
    text(room.left + inner.width / 2, height - 6, x, 'text-anchor="middle"'),
    `<text transform="translate(14 ${room.top + inner.height / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
  ];
}

function sheet(body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    "<style>text{fill:#57606a}.title{font-size:14px;font-weight:600}.grid{stroke:#8b949e;stroke-opacity:.3}</style>",
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/** Labels at the right end, moved apart where they would lie on each other. */
function labels(lines: readonly Line[], most: number): string[] {
  const wanted = lines
    .map((line) => ({ line, y: room.top + inner.height * (1 - (line.values.at(-1) ?? 0) / most) }))
    .sort((left, right) => left.y - right.y);
  let last = Number.NEGATIVE_INFINITY;
  return wanted.map(({ line, y }) => {
    last = Math.max(y, last + 14);
    return text(room.left + inner.width + 8, last + 4, line.name, `style="fill:${line.colour}"`);
  });
}

export function lineChart(frame: Frame, lines: readonly Line[]): string {
  const most = Math.max(...lines.flatMap(({ values }) => values)) * 1.05 || 1;
  const paths = lines.map(({ values, colour, dashed }) => {
    const points = values.map((value, at) => {
      const x = room.left + (inner.width * at) / Math.max(1, values.length - 1);
      return `${x.toFixed(1)},${(room.top + inner.height * (1 - value / most)).toFixed(1)}`;
    });
    return `<polyline fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="5 4"' : ""} points="${points.join(" ")}"/>`;
  });
  return sheet([...axes(frame, most), ...paths, ...labels(lines, most)]);
}

export interface Bar {
  name: string;
  colour: string;
  value: number;
  interval: readonly [number, number];
}

/** Groups of bars with whiskers, one colour for each name. */
export function barChart(
  title: string,
  unit: string,
  groups: readonly { name: string; bars: readonly Bar[] }[],
): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ interval }) => interval[1]))) * 1.05 || 1;
  const y = (value: number): number => room.top + inner.height * (1 - Math.max(0, value) / most);
  const slot = inner.width / groups.length;
  const body = groups.flatMap(({ name, bars }, group) => {
    const each = (slot * 0.8) / bars.length;
    const drawn = bars.flatMap(({ colour, value, interval }, at) => {
      const x = room.left + slot * (group + 0.1) + each * at;
      const middle = (x + each / 2).toFixed(1);
      return [
        `<rect x="${x.toFixed(1)}" y="${y(value).toFixed(1)}" width="${(each * 0.85).toFixed(1)}" height="${(y(0) - y(value)).toFixed(1)}" fill="${colour}"/>`,
        `<line x1="${middle}" x2="${middle}" y1="${y(interval[0]).toFixed(1)}" y2="${y(interval[1]).toFixed(1)}" stroke="#57606a"/>`,
      ];
    });
    return [...drawn, text(room.left + slot * (group + 0.5), height - 24, name, 'text-anchor="middle"')];
  });
  const legend = (groups[0]?.bars ?? []).map(({ name, colour }, at) =>
    text(room.left + inner.width + 8, room.top + 14 + at * 16, name, `style="fill:${colour}"`),
  );
  const frame = axes({ title, x: "", y: unit, until: 0 }, most).filter(
    (line) => !line.includes('text-anchor="middle">0<'),
  );
  return sheet([...frame, ...body, ...legend]);
}
