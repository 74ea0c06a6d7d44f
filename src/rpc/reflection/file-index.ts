import type { DescEnum, DescExtension, DescFile, DescMessage } from "@bufbuild/protobuf";

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
    // Entries of maps are messages that descriptors keep out of sight.
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
