import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createFileRegistry, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const ROOT = new URL("../../../../", import.meta.url).pathname;
const GOOGLE_FILES = ["annotations", "field_behavior", "http", "httpbody"];

/** Compiles one .proto file with the buf CLI, so that its descriptors and options are known only at run time. */
export function buildRegistry(protoFile: string): FileRegistry {
  const directory = mkdtempSync(join(tmpdir(), "transcoding-"));
  try {
    cpSync(protoFile, join(directory, basename(protoFile)));
    mkdirSync(join(directory, "google/api"), { recursive: true });
    for (const name of GOOGLE_FILES) {
      const source = join(ROOT, "node_modules/google-proto-files/google/api", `${name}.proto`);
      cpSync(source, join(directory, "google/api", `${name}.proto`));
    }
    writeFileSync(join(directory, "buf.yaml"), "version: v2\nmodules:\n  - path: .\n");
    execFileSync(join(ROOT, "node_modules/.bin/buf"), ["build", "-o", "image.binpb"], { cwd: directory });
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(directory, "image.binpb"))));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
