/** A hub label as words: "automatic speech recognition". */
export function taskLabel(task: string): string {
  return task.replaceAll("-", " ");
}

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** A language by its ISO 639-1 code: "German". The code itself if it is unknown. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
