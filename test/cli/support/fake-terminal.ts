import type { Terminal } from "../../../src/cli/terminal/terminal.ts";

/** A terminal that records its output. With `styled`, styles are recorded as `<style:text>`. */
export function fakeTerminal({
  width,
  styled = false,
}: {
  width?: number;
  styled?: boolean;
} = {}): Terminal & { printed: string[]; noted: string[] } {
  const printed: string[] = [];
  const noted: string[] = [];
  const paint: Terminal["paint"] = (style, text) => (styled ? `<${style}:${text}>` : text);
  return {
    width,
    progressStream: undefined,
    printed,
    noted,
    print: (text) => void printed.push(text),
    note: (text) => void noted.push(text),
    paint,
    paintNote: paint,
  };
}
