import { formatDuration } from "./format-duration.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** What may take a while when an inventory is opened, as it is told. */
const works = {
  starter: {
    title: "First use: indexing the starter catalogue",
    done: "Indexed the starter catalogue",
  },
  rebuild: {
    title: "Of another version: rebuilding the inventory",
    done: "Rebuilt the inventory",
  },
} as const;

/** Progress of opening an inventory. Nothing is shown unless it takes more than opening. */
export function openingProgress(terminal: Terminal): {
  onStarter: (done: number, total: number) => void;
  onRebuild: (done: number, total: number) => void;
  stop: () => void;
} {
  let shown: { end: () => void; update: (done: number) => void; work: keyof typeof works } | undefined;
  const show = (work: keyof typeof works) => (done: number, total: number) => {
    if (shown?.work !== work) {
      shown?.end();
      shown = { work, ...showWork(terminal, work, total) };
    }
    shown.update(done);
  };
  return { onStarter: show("starter"), onRebuild: show("rebuild"), stop: () => shown?.end() };
}

function showWork(terminal: Terminal, work: keyof typeof works, total: number) {
  const { title, done: told } = works[work];
  const began = performance.now();
  if (terminal.progressStream === undefined) terminal.tell(`${title} of ${total} models`);
  const progress = new Progress(terminal, { title, total });
  let models = 0;
  let ended = false;
  return {
    update(done: number) {
      models = done;
      progress.update(done, `${done} of ${total} models`);
    },
    end() {
      if (ended) return;
      ended = true;
      progress.stop();
      terminal.tell(`${told}: ${models} models in ${formatDuration(performance.now() - began)}`);
    },
  };
}
