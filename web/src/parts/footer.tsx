import { protocol } from "../state/settings.ts";

/** The end of every view. */
export function Footer() {
  return (
    <footer class="footer">
      <p>
        Answers over <b>{protocol.value === "grpc-web" ? "gRPC-Web" : "Connect"}</b>, by the generated client. Memory
        and speed are estimates that tell what they rest on.
      </p>
      <p>
        <a href="/docs">API reference</a> <a href="/openapi.json">OpenAPI</a> <a href="/healthz">Health</a>
      </p>
    </footer>
  );
}
