import type { Terminal } from "../../../src/cli/terminal/terminal.ts";

/** A terminal that keeps what is written. Styles are told as `<style:text>` where `styled` is set. */
export function fakeTerminal({
  width,
  styled = false,
}: {
  width?: number;
  styled?: boolean;
} = {}): Terminal & { printed: string[]; told: string[] } {
  const printed: string[] = [];
  const told: string[] = [];
  const paint: Terminal["paint"] = (style, text) => (styled ? `<${style}:${text}>` : text);
  return {
    width,
    progressStream: undefined,
    printed,
    told,
    print: (text) => void printed.push(text),
    tell: (text) => void told.push(text),
    paint,
    paintNote: paint,
  };
}
