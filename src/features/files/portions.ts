import { MAX_CHOSEN, MAX_JOB_THINGS } from '#contracts/panel/node-files.ts'
import { FileTrouble } from './file-trouble.ts'

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

/** The outcome of one portion: the answer to it, or why there is none. */
export type Sent<Thing, Answer> = { readonly things: readonly Thing[] } & (
  { readonly answer: Answer } | { readonly failure: unknown }
)
type Send<Thing, Answer> = (portion: Thing[]) => Promise<Answer>

/** A node of the release before refuses a request with more things than these as one that it cannot read. */
const isTooMany = (things: readonly unknown[], failure: unknown): boolean =>
  things.length > MAX_CHOSEN &&
  failure instanceof FileTrouble &&
  (failure.code === 'INVALID_PATH' || failure.code === 'INVALID_REQUEST')

const sendPortion = async <Thing, Answer>(
  things: Thing[],
  send: Send<Thing, Answer>,
): Promise<readonly Sent<Thing, Answer>[]> => {
  try {
    return [{ things, answer: await send(things) }]
  } catch (failure) {
    if (!isTooMany(things, failure)) return [{ things, failure }]
    const sent: Sent<Thing, Answer>[] = []
    for (const portion of portionsOf(things, MAX_CHOSEN)) sent.push(...(await sendPortion(portion, send)))
    return sent
  }
}

/** Starts a job for each portion of the things, all of them at once: what is started goes on without the page. */
export const sendPortions = async <Thing, Answer>(
  things: readonly Thing[],
  send: Send<Thing, Answer>,
): Promise<readonly Sent<Thing, Answer>[]> =>
  (await Promise.all(portionsOf(things, MAX_JOB_THINGS).map((portion) => sendPortion(portion, send)))).flat()
