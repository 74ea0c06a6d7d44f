import { useEffect, useState } from "preact/hooks";
import { theme } from "../state/settings.ts";
import { Icon } from "./icon.tsx";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Switches between dark and light. What the system prefers holds until then. */
export function ThemeToggle() {
  const [systemIsDark, setSystemIsDark] = useState(dark.matches);
  useEffect(() => {
    const follow = () => setSystemIsDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, []);
  const isDark = theme.value === "system" ? systemIsDark : theme.value === "dark";
  const next = isDark ? "light" : "dark";
  return (
    <button
      type="button"
      class="button is-quiet is-icon"
      aria-label={`Switch to ${next} colours`}
      onClick={() => {
        // Back to what the system says, where that is the same.
        theme.value = (next === "dark") === systemIsDark ? "system" : next;
      }}
    >
      <Icon name={isDark ? "sun" : "moon"} />
    </button>
  );
}
