import { render } from "preact";
import { App } from "./app.tsx";
import { followLinks } from "./state/navigation.ts";

followLinks();
render(<App />, document.getElementById("app") as HTMLElement);
