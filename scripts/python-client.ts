/**
 * Generates the code in clients/python from the contract: messages by protoc, stubs by the Python plugin of gRPC, and
 * the typed services. `npm run generate:python` writes it; with --check it only compares, and writes nothing.
 *
 * It needs protoc 3.21 and the plugin. The build of the project does not need them: the result is committed.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import {
  createFileRegistry,
  type DescField,
  type DescMethod,
  type DescService,
  fromBinary,
  getOption,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { FieldBehavior, field_behavior } from "../gen/google/api/field_behavior_pb.ts";
import { resume_field } from "../gen/modelscout/v1/options_pb.ts";
import { commentReader } from "../src/openapi/index.ts";

const root = resolve(import.meta.dirname, "..");
const clientFolder = join(root, "clients/python");
const packageFolder = join(clientFolder, "src/modelscout");
/** The folders of the package with generated code, and nothing else. */
const generatedFolders = ["v1", "google_rpc/bundled"];

/** Later versions generate code that the protobuf of Debian 12 does not load. */
const PROTOC = "3.21";
const install = "Debian 12 has both: apt-get install protobuf-compiler protobuf-compiler-grpc";

/** Why the code cannot be generated on this machine; undefined if it can. */
export function generatorProblem(): string | undefined {
  const version = firstLine("protoc", ["--version"]);
  if (version === undefined) {
    return `protoc is not installed. ${install}`;
  }
  if (!version.startsWith(`libprotoc ${PROTOC}.`)) {
    return `protoc ${PROTOC} is needed, and this is ${version}. ${install}`;
  }
  const hasPlugin = (process.env.PATH ?? "")
    .split(":")
    .some((folder) => existsSync(join(folder, "grpc_python_plugin")));
  return hasPlugin ? undefined : `grpc_python_plugin is not installed. ${install}`;
}

function firstLine(command: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n")[0];
  } catch {
    return undefined;
  }
}

/** The generated files by their path in the package. */
export function generatePythonClient(): Map<string, string> {
  const files = new Map(generatedServices());
  const made = mkdtempSync(join(tmpdir(), "modelscout-python-"));
  try {
    const buf = join(root, "node_modules/.bin/buf");
    const template = join(clientFolder, "buf.gen.yaml");
    execFileSync(buf, ["generate", "--template", template, "--output", made], { cwd: root, stdio: "inherit" });
    for (const path of filesBelow(made)) {
      const text = readFileSync(join(made, path), "utf8");
      const isWanted = !path.includes("/options_pb2") && (!path.endsWith("_grpc.py") || text.includes("class "));
      if (isWanted) {
        files.set(placeOf(path), withStrictTypes(path, withOurGoogleRpc(path, text)));
      }
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return files;
}

/** Where a file of protoc belongs in the package. */
function placeOf(path: string): string {
  return path.replace(/^modelscout\/v1\//, "v1/").replace(/^google\/rpc\//, "google_rpc/bundled/");
}

/** Lets code import google.rpc from this package, which takes another package's copy where there is one. */
function withOurGoogleRpc(path: string, text: string): string {
  const imported = text.replaceAll(/^from google\.rpc import /gm, "from modelscout.google_rpc import ");
  const [foreign] = /^from (?:google\.api import .*|modelscout\.v1 import options_pb2.*)/m.exec(imported) ?? [];
  if (foreign !== undefined) {
    throw new Error(`${path} has "${foreign}"; name its option in exclude_types of clients/python/buf.gen.yaml`);
  }
  return imported;
}

/** Completes the types of protoc, so that mypy takes them in its strict mode. */
function withStrictTypes(path: string, text: string): string {
  return path.endsWith(".pyi")
    ? text
        .replaceAll(/\b_Mapping(?=\])/g, "_Mapping[str, object]")
        .replaceAll("__slots__ = []", "__slots__ = ()")
        .replaceAll("**kwargs)", "**kwargs: object)")
    : text;
}

/** Files below a folder, relative to it. */
function filesBelow(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".pyc"))
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : [];
}

/** The files that are generated without protoc: the typed services, and the names of the messages. */
export function generatedServices(): [path: string, text: string][] {
  const bytes = readFileSync(join(root, "gen/modelscout.binpb"));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  const contract = [...registry.files].filter(({ name }) => /^modelscout\/v1\/(?!options$)/.test(name));
  const modules = contract.map(({ name, messages }) => ({
    name: name.split("/").at(-1) as string,
    messages: messages.map((message) => message.name).sort(),
  }));
  const services = contract.flatMap((file) => file.services);
  return [
    ["google_rpc/bundled/__init__.py", ""],
    ["v1/__init__.py", namesOfMessages(modules)],
    ["v1/services.py", servicesModule(services, false)],
    ["v1/aio_services.py", servicesModule(services, true)],
    ...services.map((service): [string, string] => [`v1/${moduleOf(service)}_pb2_grpc.pyi`, typesOfStub(service)]),
  ];
}

const header = "# Generated by scripts/python-client.ts from the contract. Do not edit.";

function namesOfMessages(modules: readonly { name: string; messages: readonly string[] }[]): string {
  const sorted = modules.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const imports = sorted.map(({ name, messages }) => {
    const lines = messages.map((message) => `    ${message},\n`).join("");
    return `from .${name}_pb2 import (\n${lines})\n`;
  });
  const all = sorted
    .flatMap(({ messages }) => messages)
    .sort()
    .map((message) => `    "${message}",\n`);
  return `${header}\n"""The messages of the contract modelscout.v1."""\n\n${imports.join("")}\n__all__ = [\n${all.join("")}]\n`;
}

function servicesModule(services: readonly DescService[], isAsync: boolean): string {
  const commentOf = commentReader();
  const sorted = services.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const stubs = sorted.map((service) => `from .${moduleOf(service)}_pb2_grpc import ${service.name}Stub`);
  const [caller, stream, iterator] = isAsync
    ? ["AsyncCaller", "AsyncResumingStream", "AsyncIterator"]
    : ["Caller", "ResumingStream", "Iterator"];
  return [
    header,
    `"""The services of the contract${isAsync ? ", for asyncio" : ""}."""`,
    "",
    "from __future__ import annotations",
    "",
    `from typing import Any, ${iterator}, Optional`,
    "",
    "from google.protobuf.empty_pb2 import Empty",
    "",
    `from ..calls import ${caller}`,
    `from ..streams import ${stream}`,
    `from . import (\n${messageNames(services)
      .map((name) => `    ${name},\n`)
      .join("")})`,
    ...stubs,
    "",
    ...sorted.map((service) => serviceClass(service, isAsync, commentOf)),
  ].join("\n");
}

/** The messages that the methods name. */
function messageNames(services: readonly DescService[]): string[] {
  const methods = services.flatMap((service) => service.methods);
  const messages = methods.flatMap((method) => [
    method.input,
    method.methodKind === "server_streaming" ? streamItem(method).message : method.output,
    ...(pagedList(method) === undefined ? [] : [(pagedList(method) as MessageList).message]),
  ]);
  return [
    ...new Set(messages.filter(({ typeName }) => typeName.startsWith("modelscout.")).map(({ name }) => name)),
  ].sort();
}

/** The types of a stub, which the plugin of gRPC does not generate. */
function typesOfStub({ name, methods }: DescService): string {
  return [
    header,
    "from typing import Any",
    "",
    `class ${name}Stub:`,
    "    def __init__(self, channel: Any) -> None: ...",
    ...methods.map((method) => `    ${method.name}: Any`),
    "",
    `class ${name}Servicer:`,
    ...methods.map((method) => `    def ${method.name}(self, request: Any, context: Any) -> Any: ...`),
    "",
    `def add_${name}Servicer_to_server(servicer: Any, server: Any) -> None: ...`,
    "",
  ].join("\n");
}

type CommentOf = ReturnType<typeof commentReader>;

function serviceClass(service: DescService, isAsync: boolean, commentOf: CommentOf): string {
  const caller = isAsync ? "AsyncCaller" : "Caller";
  return [
    "",
    `class ${service.name}:`,
    docstring(commentOf(service), 1),
    "",
    `    def __init__(self, caller: ${caller}, channel: Any) -> None:`,
    "        self._caller = caller",
    `        self._stub = ${service.name}Stub(channel)`,
    ...service.methods.flatMap((method) => methodsOf(method, isAsync, commentOf(method))),
    "",
  ].join("\n");
}

function methodsOf(method: DescMethod, isAsync: boolean, comment: string): string[] {
  return method.methodKind === "server_streaming"
    ? streamMethod(method, isAsync, comment)
    : [...unaryMethod(method, isAsync, comment), ...itemsMethod(method, isAsync)];
}

function unaryMethod(method: DescMethod, isAsync: boolean, comment: string): string[] {
  const { output } = method;
  const isRepeatable = changesNothing(method);
  const call = `self._caller.unary(self._stub.${method.name}, request, timeout, ${isRepeatable ? "True" : "False"})`;
  const [parameter, fallback] = parameterOf(method);
  return [
    "",
    `    ${isAsync ? "async " : ""}def ${snake(method.name)}(`,
    `        self, ${parameter}, *, timeout: Optional[float] = None`,
    `    ) -> ${output.name}:`,
    docstring(comment, 2),
    ...fallback,
    `        answer: ${output.name} = ${isAsync ? "await " : ""}${call}`,
    "        return answer",
  ];
}

/** Whether a call changes nothing and uses no quota. Reads that depend on the key alone do not declare it. */
function changesNothing({ name, idempotency }: DescMethod): boolean {
  return idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS || /^(Get|List)[A-Z]/.test(name);
}

/** The parameter of a request, and the line that makes one where none is passed: lists need nothing in it. */
function parameterOf({ name, input }: DescMethod): [parameter: string, fallback: string[]] {
  const isRequired = input.fields.some((field) => getOption(field, field_behavior).includes(FieldBehavior.REQUIRED));
  return input.fields.length === 0 || (!isRequired && /^(List|Search|Watch)/.test(name))
    ? [`request: Optional[${input.name}] = None`, [`        request = ${input.name}() if request is None else request`]]
    : [`request: ${input.name}`, []];
}

type MessageList = Extract<DescField, { fieldKind: "list"; listKind: "message" }>;

/** The list of a method that answers in pages; undefined for other methods. */
function pagedList({ output }: DescMethod): MessageList | undefined {
  const isPaged = output.fields.some(({ name }) => name === "next_page_token");
  const list = output.fields.find((field) => field.fieldKind === "list" && field.listKind === "message");
  return isPaged ? (list as MessageList | undefined) : undefined;
}

/** The method that reads all pages of a list: iter_models for search_models, iter_interests for list_interests. */
function itemsMethod(method: DescMethod, isAsync: boolean): string[] {
  const list = pagedList(method);
  if (list === undefined) {
    return [];
  }
  const name = snake(method.name);
  const [parameter, fallback] = parameterOf(method);
  const items = `self._caller.items(lambda page: self.${name}(page, timeout=timeout), request, "${list.name}")`;
  return [
    "",
    `    def iter_${name.replace(/^[a-z]+_/, "")}(`,
    `        self, ${parameter}, *, timeout: Optional[float] = None`,
    `    ) -> ${isAsync ? "AsyncIterator" : "Iterator"}[${list.message.name}]:`,
    docstring(`Reads all pages of ${name}(), one after another. \`timeout\` is for each page.`, 2),
    ...fallback,
    `        return ${items}`,
  ];
}

/** The message of a stream that is yielded: the first of its kinds. */
function streamItem(method: DescMethod): Extract<DescField, { fieldKind: "message" }> {
  const [item] = method.output.oneofs[0]?.fields ?? [];
  if (getOption(method, resume_field) !== "after" || item?.fieldKind !== "message") {
    throw new Error(`${method.name} is a stream of another form than streams.py resumes`);
  }
  return item;
}

function streamMethod(method: DescMethod, isAsync: boolean, comment: string): string[] {
  const item = streamItem(method);
  const stream = isAsync ? "AsyncResumingStream" : "ResumingStream";
  const [parameter, fallback] = parameterOf(method);
  const added = `The stream yields the messages \`${item.name}\`. It takes in the other messages itself. If the connection breaks, it resumes after the last message.`;
  return [
    "",
    `    def ${snake(method.name)}(self, ${parameter}) -> ${stream}[${item.message.name}]:`,
    docstring(`${comment}\n\n${added}`, 2),
    ...fallback,
    `        return ${stream}(self._caller.settings, self._stub.${method.name}, request)`,
  ];
}

function moduleOf({ file }: DescService): string {
  return file.name.split("/").at(-1) as string;
}

function snake(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** A comment of the contract as a docstring, wrapped. */
function docstring(comment: string, depth: number): string {
  const indent = "    ".repeat(depth);
  const text = comment.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replaceAll("`", "``");
  const lines = text.split("\n").flatMap((line) => wrap(line, 118 - indent.length));
  const isOneLine = lines.length === 1 && (lines[0] as string).length + indent.length <= 112;
  const body = isOneLine ? `${lines[0]}` : `${lines.join("\n")}\n`;
  return `"""${body}"""`
    .split("\n")
    .map((line) => (line === "" ? "" : indent + line))
    .join("\n");
}

function wrap(line: string, width: number): string[] {
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.length - 1;
    const extended = lines[last] === "" ? word : `${lines[last]} ${word}`;
    if (extended.length > width && lines[last] !== "") {
      lines.push(word);
    } else {
      lines[last] = extended;
    }
  }
  return lines;
}

/** Paths of the package whose committed code differs from the generated code. */
export function staleFiles(generated: ReadonlyMap<string, string>): string[] {
  const committed = generatedFolders.flatMap((folder) =>
    filesBelow(join(packageFolder, folder)).map((path) => `${folder}/${path}`),
  );
  const stale = [...generated].filter(([path, text]) => {
    const file = join(packageFolder, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  return [...stale.map(([path]) => path), ...committed.filter((path) => !generated.has(path))].sort();
}

function write(generated: ReadonlyMap<string, string>): void {
  for (const folder of generatedFolders) {
    rmSync(join(packageFolder, folder), { recursive: true, force: true });
  }
  for (const [path, text] of generated) {
    const file = join(packageFolder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(join(root, "LICENSE"), join(clientFolder, "LICENSE"));
}

if (import.meta.main) {
  const problem = generatorProblem();
  const isCheck = process.argv.includes("--check");
  if (problem !== undefined) {
    console.error(`clients/python was not ${isCheck ? "checked" : "generated"}: ${problem}`);
    process.exitCode = 1;
  } else if (isCheck) {
    const stale = staleFiles(generatePythonClient());
    if (stale.length > 0) {
      console.error(
        `clients/python does not match the contract. Run \`npm run generate:python\` and commit:\n${stale.join("\n")}`,
      );
      process.exitCode = 1;
    }
  } else {
    write(generatePythonClient());
  }
}
