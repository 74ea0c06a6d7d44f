/** A line of processors. Memory limits how fast it generates; cores limit how much of the memory it uses. */
export interface CpuRow {
  /** Tested on the name in lower case, trademarks, "cpu", "processor" and clock speeds removed; first match wins. */
  pattern: RegExp;
  /** The line's name, for `basis`. */
  line: string;
  /** 64-bit channels that are usually populated in such a machine. */
  channels: number;
  /** Megatransfers a second of the fastest memory that the maker supports (JEDEC or LPDDR, not overclocked). */
  mts: number;
  /** Physical cores that share the work, in the line's usual processor. */
  cores: number;
  /** Instruction set, which decides what one core can decode. */
  isa: Isa;
  /** The kind of machine, which decides the speed that it sustains. */
  machine: Machine;
  /**
   * For notebooks: made by TSMC in 7 nm or finer. Its cores unpack more with the same watts than Intel's own processes from 22
   * nm to Intel 4.
   */
  efficient?: true;
  /** GB of memory in the usual device, for phones and boards, whose memory is soldered. */
  memoryGb?: number;
  /** GB/s that a chiplet of eight cores can read. Absent where the chiplets reach all of the memory's bandwidth. */
  chipletGbS?: number;
}

/**
 * GB/s of 4-bit weights that one core processes, from single-thread runs of llama.cpp. Integer dot products make the
 * difference (VNNI and AVX2 on x86, dotprod and i8mm on ARM).
 */
export const coreGbS = {
  "avx512-vnni": 12,
  "avx2-vnni": 11,
  avx2: 9,
  /** Sandy and Ivy Bridge, Bulldozer. */
  avx: 3,
  /** Efficiency cores only: N100 and similar. */
  "avx2-efficiency": 3.6,
  /** Pentium, Celeron and Atom without AVX, and everything before 2011. */
  sse: 0.8,
  /** Pentium and Celeron of desktops from Skylake on, without AVX. */
  "sse-fast": 1.6,
  /** Cortex-X and Apple class with i8mm. */
  "arm-i8mm": 9,
  /** Neoverse N1, Cortex-A76 to A78. */
  "arm-dotprod": 3.6,
  /** Cortex-A53, A72, A73: no dot product. */
  neon: 0.85,
} as const;

export type Isa = keyof typeof coreGbS;

/** A thin notebook is one whose processor has about 15 W (U and Y in its number). */
export type Machine = "desktop" | "notebook" | "thin notebook" | "phone" | "server";
