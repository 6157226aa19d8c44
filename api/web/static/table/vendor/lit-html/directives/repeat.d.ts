/** Keeps the node of an item with its key, wherever the item moves to. */
export function repeat<T>(items: Iterable<T>, key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown): unknown;
