import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Hardware, HardwareSchema } from "../../../packages/client/src/index.ts";
import type { Violation } from "../api/call-error.ts";
import { hardwareClass } from "../words/hardware.ts";

/** A machine as typed: a class alone, or names and figures. Texts that may be invalid; empty for none. */
export interface MachineDraft {
  /** One of the four classes. */
  readonly class: string;
  readonly gpu: string;
  readonly gpus: string;
  /** Of one card, in GB. */
  readonly memory: string;
  /** Of one card, in GB/s. */
  readonly bandwidth: string;
  readonly cpu: string;
  /** In GB. */
  readonly system_memory: string;
}

export const emptyMachine: MachineDraft = {
  class: "",
  gpu: "",
  gpus: "",
  memory: "",
  bandwidth: "",
  cpu: "",
  system_memory: "",
};

/** The fields by the names of the contract's `Hardware`. */
export const machineFields: Readonly<Record<string, keyof MachineDraft>> = {
  class: "class",
  gpu_name: "gpu",
  gpu_count: "gpus",
  memory_gb: "memory",
  memory_bandwidth_gb_s: "bandwidth",
  cpu_name: "cpu",
  system_memory_gb: "system_memory",
};

/** The field of a machine that a violation is about: "hardware.gpu_name" is `gpu`. */
export function machineField(violated: string): keyof MachineDraft | undefined {
  const name = violated.split(".").at(-1) ?? "";
  return machineFields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The part of an object that is a machine. */
export function machineOf(draft: MachineDraft): MachineDraft {
  const names = Object.keys(emptyMachine) as (keyof MachineDraft)[];
  return Object.fromEntries(names.map((name) => [name, draft[name].trim()])) as unknown as MachineDraft;
}

/** Whether any field is filled in. */
export function isMachine(draft: MachineDraft): boolean {
  return !isSameMachine(draft, emptyMachine);
}

/** Whether two machines are typed alike. */
export function isSameMachine(a: MachineDraft, b: MachineDraft): boolean {
  return JSON.stringify(machineOf(a)) === JSON.stringify(machineOf(b));
}

/** A machine in a few words: "2 × RTX 3090", "RTX 3060, 12 GB", "8 GB graphics card". */
export function machineLabel(draft: MachineDraft): string {
  const { class: id, gpu, gpus, memory, bandwidth, cpu, system_memory } = machineOf(draft);
  if (id !== "") {
    return hardwareClass(id)?.label ?? id;
  }
  const hasCard = gpu !== "" || memory !== "" || bandwidth !== "";
  const card = `${gpus === "" || gpus === "1" ? "" : `${gpus} × `}${gpu || "card"}`;
  const parts = [hasCard && card, memory && `${memory} GB`, !hasCard && cpu];
  if (!hasCard && system_memory !== "") {
    parts.push(`${system_memory} GB of memory`);
  }
  return parts.filter(Boolean).join(", ");
}

/**
 * Converts a machine to the contract's message. It refuses only texts that a message cannot hold, and adds a violation
 * for each.
 *
 * @returns undefined for an empty machine.
 */
export function readMachine(
  draft: MachineDraft,
  violations: Violation[],
): MessageInitShape<typeof HardwareSchema> | undefined {
  if (!isMachine(draft)) {
    return undefined;
  }
  const number = (field: string, text: string, isWhole = false) => readNumber({ field, text, isWhole }, violations);
  return {
    class: draft.class || undefined,
    gpuName: draft.gpu.trim() || undefined,
    gpuCount: number("gpu_count", draft.gpus, true),
    cpuName: draft.cpu.trim() || undefined,
    memoryGb: number("memory_gb", draft.memory),
    memoryBandwidthGbS: number("memory_bandwidth_gb_s", draft.bandwidth),
    systemMemoryGb: number("system_memory_gb", draft.system_memory),
  };
}

/** The contract's message as a machine. */
export function shownMachine(hardware: Hardware): MachineDraft {
  const text = (value: string | number | undefined) => (value === undefined ? "" : String(value));
  return {
    class: text(hardware.class),
    gpu: text(hardware.gpuName),
    gpus: text(hardware.gpuCount),
    memory: text(hardware.memoryGb),
    bandwidth: text(hardware.memoryBandwidthGbS),
    cpu: text(hardware.cpuName),
    system_memory: text(hardware.systemMemoryGb),
  };
}

/** Reads a number from a field of a form; adds a violation if the text is none. Undefined for an empty text. */
export function readNumber(
  { field, text, isWhole }: { field: string; text: string; isWhole: boolean },
  violations: Violation[],
): number | undefined {
  if (text.trim() === "") {
    return undefined;
  }
  const value = Number(text);
  if (isWhole ? Number.isInteger(value) && Math.abs(value) < 2 ** 31 : Number.isFinite(value)) {
    return value;
  }
  const what = isWhole ? "a whole number" : "a number";
  violations.push({ field, description: `is ${JSON.stringify(text.slice(0, 40))}; must be ${what}` });
  return undefined;
}
