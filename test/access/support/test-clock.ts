/** A clock that stands until it is moved. */
export function testClock(start: string): {
  now: () => number;
  pass: (ms: number) => void;
  set: (time: string) => void;
} {
  let at = Date.parse(start);
  return {
    now: () => at,
    pass: (ms) => {
      at += ms;
    },
    set: (time) => {
      at = Date.parse(time);
    },
  };
}
