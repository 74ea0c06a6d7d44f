/** Joins the texts of waiting calls into batches, one batch at a time. */
export interface TextBatcher {
  /** @returns a vector for each text, in order. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  /** Rejects all waiting and later calls. */
  fail(error: Error): void;
}

interface Call {
  texts: readonly string[];
  vectors: Float32Array[];
  /** Number of texts that were put into a batch. */
  taken: number;
  /** Number of texts that have their vectors. */
  done: number;
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/**
 * Takes one text of each waiting call in turn until the batch is full, so that a single text does not wait for the end
 * of a long list.
 *
 * @param run encodes one batch. If it rejects, so do the calls with a text in that batch.
 * @param maxTexts most texts in a batch.
 */
export function createTextBatcher(run: (texts: string[]) => Promise<Float32Array[]>, maxTexts: number): TextBatcher {
  let waiting: Call[] = [];
  let failure: Error | undefined;
  let running = false;

  const nextBatch = () => {
    const batch: { call: Call; at: number }[] = [];
    for (let open = untaken(waiting); open.length > 0 && batch.length < maxTexts; open = untaken(open)) {
      for (const call of open.slice(0, maxTexts - batch.length)) {
        batch.push({ call, at: call.taken++ });
      }
    }
    return batch;
  };

  const drop = (calls: ReadonlySet<Call>) => {
    waiting = waiting.filter((call) => !calls.has(call));
  };

  const runAll = async () => {
    running = true;
    // Calls made in the same turn of the event loop share the first batch.
    await Promise.resolve();
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      try {
        const vectors = await run(batch.map(({ call, at }) => call.texts[at]!));
        const complete = new Set<Call>();
        batch.forEach(({ call, at }, index) => {
          call.vectors[at] = vectors[index]!;
          call.done++;
          if (call.done === call.texts.length) {
            complete.add(call);
          }
        });
        drop(complete);
        for (const call of complete) {
          call.resolve(call.vectors);
        }
      } catch (error) {
        const calls = new Set(batch.map(({ call }) => call));
        drop(calls);
        for (const call of calls) {
          call.reject(error as Error);
        }
      }
    }
    running = false;
  };

  return {
    encode: (texts) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) {
          return reject(failure);
        }
        if (texts.length === 0) {
          return resolve([]);
        }
        waiting.push({ texts: [...texts], vectors: new Array(texts.length), taken: 0, done: 0, resolve, reject });
        if (!running) {
          void runAll();
        }
      }),
    fail: (error) => {
      failure ??= error;
      const calls = waiting;
      waiting = [];
      for (const call of calls) {
        call.reject(error);
      }
    },
  };
}

function untaken(calls: readonly Call[]): Call[] {
  return calls.filter((call) => call.taken < call.texts.length);
}
