import type { DescMessage, DescService } from "@bufbuild/protobuf";
import { buildRegistry } from "./build-registry.ts";

/** The registry of library.proto, compiled once for each test file. */
export const libraryRegistry = buildRegistry(new URL("../library.proto", import.meta.url).pathname);

export const libraryService: DescService = libraryRegistry.getService("library.v1.Library")!;

export const bookDesc: DescMessage = libraryRegistry.getMessage("library.v1.Book")!;
