/**
 * An open-addressed hash table over rows: slot `hash & (size - 1)`, or the next free one, holds the row number plus 1;
 * 0 is an empty slot. The size is a power of two, at least twice the number of rows.
 */
export function hashTable(hashes: Uint32Array): Uint32Array {
  let size = 1;
  while (size < hashes.length * 2) {
    size *= 2;
  }
  const slots = new Uint32Array(size);
  hashes.forEach((hash, row) => {
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) {
      slot = (slot + 1) & (size - 1);
    }
    slots[slot] = row + 1;
  });
  return slots;
}
