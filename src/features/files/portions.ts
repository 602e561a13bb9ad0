/** A request of a node holds 8 MiB; the rest of it is small. */
const PORTION_BYTES = 4 * 1024 * 1024

/** The things in portions that fit a request each, in their order. */
export const portionsOf = <Thing>(things: readonly Thing[], most: number): Thing[][] => {
  const portions: Thing[][] = []
  const encoder = new TextEncoder()
  let last: Thing[] = []
  let bytes = 0
  for (const thing of things) {
    const more = encoder.encode(JSON.stringify(thing)).length + 1
    if (last.length === 0 || last.length >= most || bytes + more > PORTION_BYTES) {
      last = []
      bytes = 0
      portions.push(last)
    }
    last.push(thing)
    bytes += more
  }
  return portions
}
