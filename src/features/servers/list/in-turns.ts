/** Runs a task for each item, at most `width` at a time, in order. A task handles its own failure. */
export const inTurns = async <Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
}
