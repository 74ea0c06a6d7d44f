/** How the service stands at this moment. */
export interface Gauges {
  isReady: boolean;
  /** Undefined until the inventory is open. */
  inventory?: {
    models: number;
    /** When it was last written, in milliseconds since 1970. */
    writtenAt: number;
    /** What LanceDB keeps of it in memory, in bytes. */
    cachedBytes: number;
  };
  /** Batches that have not ended; undefined until the state is open. */
  unfinishedBatches?: number;
  /** What waits to be delivered to webhooks; undefined until the state is open. */
  deliveries?: {
    pending: number;
    /** Since when the one that waits longest has been due, in milliseconds since 1970; undefined when nothing is. */
    dueSince: number | undefined;
  };
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
