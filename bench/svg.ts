// Line and bar charts as SVG that reads in light and dark, in print and without telling colours apart, without any library.

export interface Line {
  name: string;
  /** Which of the inks. */
  ink: number;
  /** Over equally many steps. */
  values: readonly number[];
}

/** Colours that most colour-blind people tell apart (after Okabe and Ito), on white and on black, each with a dash and a filling. */
const inks = [
  { light: "#0072b2", dark: "#56b4e9", dash: "", filling: "" },
  { light: "#d55e00", dark: "#ff8c42", dash: "7 4", filling: "M-1,1l2,-2M0,6l6,-6M5,7l2,-2" },
  { light: "#007a5a", dark: "#2fc79a", dash: "2 3", filling: "M3,0v6" },
  { light: "#a8467a", dark: "#e59bc3", dash: "10 3 2 3", filling: "M0,3h6" },
  { light: "#8a6a00", dark: "#e6c229", dash: "14 4", filling: "M0,3h6M3,0v6" },
  { light: "#444c56", dark: "#adbac7", dash: "4 2 1 2 1 2", filling: "M-1,5l2,2M0,0l6,6M5,-1l2,2" },
] as const;
const inkOf = (ink: number) => inks[ink % inks.length] ?? inks[0];

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

function ticksTo(most: number): number[] {
  if (most <= 0) return [];
  const step = tickStep(most);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

const text = (x: number, y: number, said: string, more = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(said)}</text>`;

function axes({ title, x, y, until }: Frame, most: number): string[] {
  const rows = ticksTo(most);
  return [
    text(room.left, 20, title, 'class="title"'),
    ...rows.flatMap((value) => {
      const at = room.top + inner.height * (1 - value / most);
      return [
        `<line class="grid" x1="${room.left}" x2="${room.left + inner.width}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}"/>`,
        text(room.left - 8, at + 4, String(Math.round(value * 100) / 100), 'text-anchor="end"'),
      ];
    }),
    ...ticksTo(until).map((value) =>
      text(room.left + (value / until) * inner.width, height - 24, value.toLocaleString("en"), 'text-anchor="middle"'),
    ),
    text(room.left + inner.width / 2, height - 6, x, 'text-anchor="middle"'),
    `<text transform="translate(14 ${room.top + inner.height / 2}) rotate(-90)" text-anchor="middle">${escaped(y)}</text>`,
  ];
}

const inkStyle = (tone: "light" | "dark"): string => inks.map((ink, at) => `.ink${at}{--ink:${ink[tone]}}`).join("");

const style = [
  "text{fill:#424a53}.title{font-size:14px;font-weight:600}.paper{fill:#fff}.grid{stroke:#8b949e;stroke-opacity:.4}",
  `.line{fill:none;stroke:var(--ink);stroke-width:2}.bar{stroke:var(--ink)}.halo{stroke:#fff;stroke-width:4}.whisker{stroke:#424a53;stroke-width:1.5}${inkStyle("light")}`,
  "@media (prefers-color-scheme:dark){text{fill:#c9d1d9}.paper{fill:#0d1117}.halo{stroke:#0d1117}.whisker{stroke:#c9d1d9}",
  `${inkStyle("dark")}}`,
].join("");

const dashOf = (ink: number): string => {
  const { dash } = inkOf(ink);
  return dash === "" ? "" : ` stroke-dasharray="${dash}"`;
};

function sheet(body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
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
    const x = room.left + inner.width + 6;
    return [
      `<line class="line ink${line.ink}"${dashOf(line.ink)} x1="${x}" x2="${x + 24}" y1="${last.toFixed(1)}" y2="${last.toFixed(1)}"/>`,
      text(x + 29, last + 4, line.name),
    ].join("\n");
  });
}

export function lineChart(frame: Frame, lines: readonly Line[]): string {
  const most = Math.max(...lines.flatMap(({ values }) => values)) * 1.05 || 1;
  const paths = lines.map(({ values, ink }) => {
    const points = values.map((value, at) => {
      const x = room.left + (inner.width * at) / Math.max(1, values.length - 1);
      return `${x.toFixed(1)},${(room.top + inner.height * (1 - value / most)).toFixed(1)}`;
    });
    return `<polyline class="line ink${ink}"${dashOf(ink)} points="${points.join(" ")}"/>`;
  });
  return sheet([...axes(frame, most), ...paths, ...labels(lines, most)]);
}

export interface Bar {
  name: string;
  /** Which of the inks. */
  ink: number;
  value: number;
  interval: readonly [number, number];
}

/** Hatchings, as what is filled cannot be dashed. */
const fillings = inks.map(({ filling }, at) =>
  filling === ""
    ? ""
    : `<pattern id="filling${at}" class="ink${at}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="${filling}" style="stroke:var(--ink);stroke-width:1.6"/></pattern>`,
);
const fillOf = (ink: number): string => (inkOf(ink).filling === "" ? "var(--ink)" : `url(#filling${ink})`);

const barOf = (ink: number, [x, y, wide, high]: readonly [number, number, number, number]): string =>
  `<rect class="bar ink${ink}" style="fill:${fillOf(ink)}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${wide.toFixed(1)}" height="${high.toFixed(1)}"/>`;

/** Groups of bars with whiskers, one ink for each name. */
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
    const drawn = bars.flatMap(({ ink, value, interval }, at) => {
      const x = room.left + slot * (group + 0.1) + each * at;
      const middle = (x + each / 2).toFixed(1);
      return [
        barOf(ink, [x, y(value), each * 0.85, y(0) - y(value)]),
        ...["halo", "whisker"].map(
          (kind) =>
            `<line class="${kind}" x1="${middle}" x2="${middle}" y1="${y(interval[0]).toFixed(1)}" y2="${y(interval[1]).toFixed(1)}"/>`,
        ),
      ];
    });
    return [...drawn, text(room.left + slot * (group + 0.5), height - 24, name, 'text-anchor="middle"')];
  });
  const legend = (groups[0]?.bars ?? []).flatMap(({ name, ink }, at) => {
    const [left, top] = [room.left + inner.width + 8, room.top + 14 + at * 18];
    return [barOf(ink, [left, top - 10, 14, 12]), text(left + 20, top, name)];
  });
  return sheet([...fillings, ...axes({ title, x: "", y: unit, until: 0 }, most), ...body, ...legend]);
}
