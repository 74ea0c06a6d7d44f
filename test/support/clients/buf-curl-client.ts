import { create, fromJson, toJsonString } from "@bufbuild/protobuf";
import { bufCurl } from "./buf-curl.ts";
import type { Client } from "./client.ts";
import { connectError } from "./connect-json.ts";
import { detailRegistry } from "./received-error.ts";

/** Calls with `buf curl`, which is written in Go and reads the schema from proto/. */
export function bufCurlClient(
  url: string,
  protocol: "grpc" | "grpcweb" | "connect",
  headers: Readonly<Record<string, string>>,
): Client {
  const header = Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
  return {
    name: `buf curl, ${protocol}`,
    protocol: protocol === "grpcweb" ? "grpc-web" : protocol,
    // It reads JSON and sends binary.
    spelling: "proto",
    async call(method, request) {
      const data = toJsonString(method.input, create(method.input, request));
      const rpc = `${url}/${method.parent.typeName}/${method.name}`;
      const { code, stdout, stderr } = await bufCurl([rpc, "--protocol", protocol, "--data", data, ...header]);
      if (code >= 8) {
        throw connectError({ text: stderr.slice(stderr.indexOf("{")) });
      }
      if (code !== 0) {
        throw new Error(`buf curl failed: ${stderr}`);
      }
      return fromJson(method.output, JSON.parse(stdout), { registry: detailRegistry });
    },
  };
}
