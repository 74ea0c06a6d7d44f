import {
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import type { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { eachUntilAborted } from "../pace/index.ts";

/** Bytes of files that one stream gets: five times the size of all files. */
const MOST_FILE_BYTES = 1024 * 1024;

/** The answer to one request of a stream. It may be a not-found error. */
type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

/**
 * Answers gRPC reflection, by which tools call services without having their contract.
 *
 * @param services the services of the server, read at the first request.
 */
export function reflectionService(services: () => readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  let index: FileIndex | undefined;
  return {
    async *serverReflectionInfo(requests, { signal }) {
      const served = services();
      // No contract imports the details of errors, but tools show them.
      index ??= new FileIndex([...served.map(({ file }) => file), file_google_rpc_error_details]);
      // A file is sent once in a stream.
      const sent = new Set<DescFile>();
      let left = MOST_FILE_BYTES;
      try {
        for await (const request of eachUntilAborted(signal, requests)) {
          const messageResponse = answer(request, index, served, sent);
          left -= fileBytes(messageResponse);
          if (left < 0) {
            const problem = `one stream may receive ${MOST_FILE_BYTES} bytes of files; open another stream for the rest`;
            throw new ConnectError(problem, Code.ResourceExhausted);
          }
          yield { validHost: request.host, originalRequest: request, messageResponse };
        }
      } catch (error) {
        // A silent caller must not delay the shutdown. The shutdown is no error for the caller.
        if (!signal.aborted) {
          throw error;
        }
      }
    },
  };
}

/** The same for tools that know only the older version, which has the same messages under other names. */
export function reflectionAlphaService(
  services: () => readonly DescService[],
): ServiceImpl<typeof ServerReflectionAlpha> {
  return reflectionService(services) as unknown as ServiceImpl<typeof ServerReflectionAlpha>;
}

function answer(
  { messageRequest: question }: ServerReflectionRequest,
  index: FileIndex,
  served: readonly DescService[],
  sent: Set<DescFile>,
): Answer {
  switch (question.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: served.map(({ typeName: name }) => ({ name })) } };
    case "fileByFilename":
      return files(index.byName(question.value), sent, `file ${question.value}`);
    case "fileContainingSymbol":
      return files(index.bySymbol(question.value), sent, `symbol ${question.value}`);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = question.value;
      const found = index.byExtension(containingType, extensionNumber);
      return files(found, sent, `extension ${extensionNumber} of ${containingType}`);
    }
    case "allExtensionNumbersOfType": {
      const extensionNumber = index.extensionNumbers(question.value);
      return extensionNumber === undefined
        ? missing(`message ${question.value}`)
        : { case: "allExtensionNumbersResponse", value: { baseTypeName: question.value, extensionNumber } };
    }
    default:
      return failure(Code.InvalidArgument, "the request contains no question");
  }
}

/** A file with all files that it imports. Each file comes after its own imports. */
function files(found: DescFile | undefined, sent: Set<DescFile>, wanted: string): Answer {
  if (found === undefined) {
    return missing(wanted);
  }
  const needed: DescFile[] = [];
  const need = (file: DescFile) => {
    if (sent.has(file)) {
      return;
    }
    sent.add(file);
    for (const imported of file.dependencies) {
      need(imported);
    }
    needed.push(file);
  };
  need(found);
  // The requested file is sent even if it was sent before.
  if (!needed.includes(found)) {
    needed.push(found);
  }
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: needed.map(encoded) } };
}

const encodings = new WeakMap<DescFile, Uint8Array>();

/** A file in the binary format, encoded once. */
function encoded(file: DescFile): Uint8Array {
  const bytes = encodings.get(file) ?? toBinary(FileDescriptorProtoSchema, file.proto);
  encodings.set(file, bytes);
  return bytes;
}

function fileBytes(answer: Answer): number {
  if (answer.case !== "fileDescriptorResponse") {
    return 0;
  }
  return (answer.value.fileDescriptorProto ?? []).reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function missing(wanted: string): Answer {
  return failure(Code.NotFound, `there is no ${wanted}`);
}

function failure(errorCode: Code, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}

/** Finds the files that declare things, among some files and all that they import. */
export class FileIndex {
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  readonly #extensions = new Map<string, Map<number, DescFile>>();

  constructor(files: Iterable<DescFile>) {
    for (const file of files) {
      this.#add(file);
    }
  }

  /** The file of a name such as `google/rpc/status.proto`. */
  byName(name: string): DescFile | undefined {
    return this.#files.get(name);
  }

  /** The file that declares a service, method, message, field, enum, value or extension, by its full name. */
  bySymbol(name: string): DescFile | undefined {
    return this.#symbols.get(name);
  }

  /** The file that declares the extension of a message with a field number. */
  byExtension(message: string, number: number): DescFile | undefined {
    return this.#extensions.get(message)?.get(number);
  }

  /** The field numbers of a message's extensions in order; undefined if there is no such message. */
  extensionNumbers(message: string): number[] | undefined {
    if (!this.#symbols.has(message)) {
      return undefined;
    }
    return [...(this.#extensions.get(message)?.keys() ?? [])].sort((a, b) => a - b);
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) {
      return;
    }
    this.#files.set(file.proto.name, file);
    for (const service of file.services) {
      this.#symbols.set(service.typeName, file);
      for (const { name } of service.methods) {
        this.#symbols.set(`${service.typeName}.${name}`, file);
      }
    }
    for (const desc of file.messages) {
      this.#addMessage(desc, file);
    }
    for (const desc of file.enums) {
      this.#addEnum(desc, file);
    }
    for (const desc of file.extensions) {
      this.#addExtension(desc, file);
    }
    for (const imported of file.dependencies) {
      this.#add(imported);
    }
  }

  #addMessage(desc: DescMessage, file: DescFile): void {
    this.#symbols.set(desc.typeName, file);
    for (const { name } of [...desc.fields, ...desc.oneofs]) {
      this.#symbols.set(`${desc.typeName}.${name}`, file);
    }
    for (const nested of desc.nestedMessages) {
      this.#addMessage(nested, file);
    }
    // The entries of maps are messages that descriptors do not list.
    for (const { name } of desc.proto.nestedType) {
      this.#symbols.set(`${desc.typeName}.${name}`, file);
    }
    for (const nested of desc.nestedEnums) {
      this.#addEnum(nested, file);
    }
    for (const nested of desc.nestedExtensions) {
      this.#addExtension(nested, file);
    }
  }

  #addEnum(desc: DescEnum, file: DescFile): void {
    this.#symbols.set(desc.typeName, file);
    // The full name of an enum's value has the enum's scope, not the enum itself.
    const scope = desc.typeName.slice(0, desc.typeName.lastIndexOf(".") + 1);
    for (const { name } of desc.values) {
      this.#symbols.set(scope + name, file);
    }
  }

  #addExtension(desc: DescExtension, file: DescFile): void {
    this.#symbols.set(desc.typeName, file);
    const numbers = this.#extensions.get(desc.extendee.typeName) ?? new Map<number, DescFile>();
    this.#extensions.set(desc.extendee.typeName, numbers.set(desc.number, file));
  }
}
