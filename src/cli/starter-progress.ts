import { formatDuration } from "./format-duration.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** Progress of indexing the starter catalogue. Nothing is shown unless it comes to that. */
export function starterProgress(terminal: Terminal): {
  onStarter: (done: number, total: number) => void;
  stop: () => void;
} {
  const began = performance.now();
  let progress: Progress | undefined;
  let models = 0;
  return {
    onStarter(done, total) {
      if (progress === undefined) {
        if (terminal.progressStream === undefined)
          terminal.tell(`First use: indexing the starter catalogue of ${total} models`);
        progress = new Progress(terminal, { title: "First use: indexing the starter catalogue", total });
      }
      models = done;
      progress.update(done, `${done} of ${total} models`);
    },
    stop() {
      if (progress === undefined) return;
      progress.stop();
      terminal.tell(`Indexed the starter catalogue: ${models} models in ${formatDuration(performance.now() - began)}`);
    },
  };
}
