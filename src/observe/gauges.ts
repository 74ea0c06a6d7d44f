/** How the service stands at this moment. */
export interface Gauges {
  isReady: boolean;
  /** Undefined until the inventory is open. */
  inventory?: {
    models: number;
    /** When it was last written, in milliseconds since 1970. */
    writtenAt: number;
  };
  /** Batches that have not ended; undefined until the state is open. */
  unfinishedBatches?: number;
  /** The last sync of every source that was ever synced. */
  syncs: ReadonlyArray<{
    source: string;
    outcome: string;
    /** Milliseconds since 1970. */
    endedAt: number;
    /** When one last ended as it should, in milliseconds since 1970; undefined for never. */
    succeededAt: number | undefined;
    seconds: number;
    /** Models by what became of them: added, changed and so on. */
    models: Readonly<Record<string, number>>;
    /** Faults of the source's server. */
    faults: number;
  }>;
}
