import { ViewHeading } from "../parts/view-frame.tsx";

/** Shown at an address that the service does not have. */
export function NotFoundView({ path }: { readonly path: string }) {
  return (
    <>
      <ViewHeading>There is no such page</ViewHeading>
      <p class="lead">
        Nothing is at <span class="mono">{path}</span>. <a href="/">Say what you need</a>, browse the{" "}
        <a href="/?browse=models">models</a>, <a href="/?browse=families">families</a> and{" "}
        <a href="/?browse=tasks">tasks</a>, or see <a href="/docs">the API reference</a>.
      </p>
    </>
  );
}
