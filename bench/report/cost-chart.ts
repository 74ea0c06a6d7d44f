/** The processor times of one need on an inventory, in milliseconds. */
export interface Cost {
  models: number;
  recommendMs: number;
  /** LanceDB's full-text and vector search alone. */
  bareMs: number;
  /** sha256 of 1 MB on the same machine at the same time. */
  shaMs: number;
}

const WIDTH = 720;
const HEIGHT = 400;
/** The space around the area with the lines: for titles, figures and names. */
const area = { left: 70, right: 560, top: 50, bottom: 340 };

const lines = [
  { name: "a recommendation", color: "#1f5fa8", of: ({ recommendMs }: Cost) => recommendMs },
  { name: "both bare queries", color: "#b3541e", of: ({ bareMs }: Cost) => bareMs },
  { name: "sha256 of 1 MB", color: "#666666", of: ({ shaMs }: Cost) => shaMs },
] as const;

/** Draws how the processor time of a need grows with the inventory, both on logarithmic scales, as SVG. */
export function costChart(costs: readonly Cost[]): string {
  const sorted = [...costs].sort((a, b) => a.models - b.models);
  const values = sorted.flatMap((cost) => lines.map(({ of }) => of(cost)));
  const x = scaleOf(powersAround(sorted.map(({ models }) => models)), area.left, area.right);
  const y = scaleOf(powersAround(values), area.bottom, area.top);
  const vertical = x.powers.map((power) => {
    const at = round(x.place(power));
    return `<path class="grid" d="M${at} ${area.top}V${area.bottom}"/><text x="${at}" y="${area.bottom + 20}" text-anchor="middle">${power.toLocaleString("en")}</text>`;
  });
  const horizontal = y.powers.map((power) => {
    const at = round(y.place(power));
    return `<path class="grid" d="M${area.left} ${at}H${area.right}"/><text x="${area.left - 8}" y="${at + 4}" text-anchor="end">${power}</text>`;
  });
  const drawn = lines.map(({ name, color, of }) => {
    const points = sorted.map((cost) => [round(x.place(cost.models)), round(y.place(of(cost)))] as const);
    const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${color}"/>`);
    const [, last = area.bottom] = points.at(-1) ?? [];
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}<text x="${area.right + 10}" y="${last + 4}" fill="${color}">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#333">`,
    "<title>Processor time of a need by the number of models</title>",
    "<style>.grid{stroke:#ddd}</style>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${area.left}" y="28" font-size="14">Processor time of a need, in milliseconds</text>`,
    ...vertical,
    ...horizontal,
    ...drawn,
    `<text x="${(area.left + area.right) / 2}" y="${area.bottom + 45}" text-anchor="middle">models in the inventory</text>`,
    "</svg>\n",
  ].join("\n");
}

/** The powers of ten from the one below the smallest value to the one above the largest. */
function powersAround(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}

function scaleOf(powers: readonly number[], from: number, to: number) {
  const [first, last] = [Math.log10(powers[0] as number), Math.log10(powers.at(-1) as number)];
  return {
    powers,
    place: (value: number) => from + ((to - from) * (Math.log10(value) - first)) / (last - first),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
