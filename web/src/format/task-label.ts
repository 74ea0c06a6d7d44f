/** A hub label as words: "automatic speech recognition". */
export function taskLabel(task: string): string {
  return task.replaceAll("-", " ");
}
