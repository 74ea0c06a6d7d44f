/** An item and its rectangle. */
export interface Tile<T> {
  readonly item: T;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a rectangle among items. Areas are in proportion to the values, and as close to squares as the order allows
 * (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).
 *
 * @param items largest first; items without an area above 0 get no tile.
 */
export function squarify<T>(
  items: readonly T[],
  areaOf: (item: T) => number,
  width: number,
  height: number,
): Tile<T>[] {
  const shown = items.filter((item) => areaOf(item) > 0);
  const total = shown.reduce((sum, item) => sum + areaOf(item), 0);
  if (total === 0 || width <= 0 || height <= 0) {
    return [];
  }
  const perArea = (width * height) / total;
  const tiles: Tile<T>[] = [];
  let rest = { x: 0, y: 0, width, height };
  let start = 0;
  while (start < shown.length) {
    const side = Math.min(rest.width, rest.height);
    const areas: number[] = [];
    for (const item of shown.slice(start)) {
      const area = areaOf(item) * perArea;
      if (areas.length > 0 && worstRatio([...areas, area], side) > worstRatio(areas, side)) {
        break;
      }
      areas.push(area);
    }
    rest = layRow(shown.slice(start, start + areas.length), areas, rest, tiles);
    start += areas.length;
  }
  return tiles;
}

/** The aspect ratio of the least square tile of a row along a side. */
function worstRatio(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0);
  return Math.max((side ** 2 * Math.max(...areas)) / sum ** 2, sum ** 2 / (side ** 2 * Math.min(...areas)));
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Places a row along the shorter side. @returns the rest of the rectangle. */
function layRow<T>(items: readonly T[], areas: readonly number[], rest: Rectangle, tiles: Tile<T>[]): Rectangle {
  const sum = areas.reduce((total, area) => total + area, 0);
  const isUpright = rest.width >= rest.height;
  const side = isUpright ? rest.height : rest.width;
  const depth = sum / side;
  let along = 0;
  items.forEach((item, i) => {
    const length = (areas[i] as number) / depth;
    tiles.push(
      isUpright
        ? { item, x: rest.x, y: rest.y + along, width: depth, height: length }
        : { item, x: rest.x + along, y: rest.y, width: length, height: depth },
    );
    along += length;
  });
  return isUpright
    ? { x: rest.x + depth, y: rest.y, width: rest.width - depth, height: rest.height }
    : { x: rest.x, y: rest.y + depth, width: rest.width, height: rest.height - depth };
}
