import { Overloaded } from './overloaded.ts'

export type TurnBounds = {
  /** How many work at once, at most one of each caller. */
  readonly width: number
  /** How many may wait, in all. */
  readonly waiting: number
  readonly waitingPerAddress: number
  readonly waitingPerAccount: number
  /** After this time work loses its place to the next, but continues. */
  readonly placeMs: number
}

/** `caller` is the address whose share is used; `subject` the account, if one is named, that many may crowd upon. */
export type Turn = { readonly caller: string; readonly subject?: string | undefined }

export type FairTurns = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>

type Waiting = Turn & { readonly enter: () => void; readonly refuse: (error: Error) => void }

const full = () => new Overloaded('Too many wait for a turn.')

/**
 * The waiting requests by caller. Callers stand in the order of their next turn: a caller who had one goes to the end, so
 * a thousand requests of one caller delay another by one of them.
 */
const createWaitingRoom = ({ waiting: room, waitingPerAddress, waitingPerAccount }: TurnBounds) => {
  const queues = new Map<string, Waiting[]>()
  const subjects = new Map<string, number>()
  let count = 0
  const forget = ({ caller, subject }: Waiting) => {
    count -= 1
    if (queues.get(caller)?.length === 0) queues.delete(caller)
    if (subject === undefined) return
    const left = (subjects.get(subject) ?? 1) - 1
    if (left > 0) subjects.set(subject, left)
    else subjects.delete(subject)
  }
  /** A full room admits a newcomer if another caller has more requests than they have: the last of these is refused. */
  const makesRoom = (own: number): boolean => {
    const longest = [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    if (longest.length <= own + 1) return false
    const last = longest.pop()
    if (last === undefined) return false
    forget(last)
    last.refuse(full())
    return true
  }
  const add = (waiting: Waiting): boolean => {
    const own = queues.get(waiting.caller) ?? []
    if (own.length >= waitingPerAddress) return false
    if (waiting.subject !== undefined && (subjects.get(waiting.subject) ?? 0) >= waitingPerAccount) return false
    if (count >= room && !makesRoom(own.length)) return false
    own.push(waiting)
    queues.set(waiting.caller, own)
    count += 1
    if (waiting.subject !== undefined) subjects.set(waiting.subject, (subjects.get(waiting.subject) ?? 0) + 1)
    return true
  }
  /** The next whose caller is not working. */
  const take = (isWorking: (caller: string) => boolean): Waiting | undefined => {
    for (const [caller, queue] of queues) {
      if (isWorking(caller)) continue
      const next = queue.shift()
      queues.delete(caller)
      if (queue.length > 0) queues.set(caller, queue)
      if (next !== undefined) forget(next)
      return next
    }
    return undefined
  }
  return { add, take }
}

/**
 * Runs a few pieces of work at a time, in fair turns: callers alternate, and none has two at once. Waiting places are
 * bounded in all, for each caller and for each subject; beyond that work is refused with `Overloaded`, first that of
 * the caller who has most waiting.
 */
export const createFairTurns = (bounds: TurnBounds): FairTurns => {
  const waiting = createWaitingRoom(bounds)
  const working = new Map<string, number>()
  let inside = 0
  const admit = () => {
    while (inside < bounds.width) {
      const next = waiting.take((caller) => working.has(caller))
      if (next === undefined) return
      begin(next.caller)
      // Between two turns the loop handles everything else.
      setImmediate(next.enter)
    }
  }
  const begin = (caller: string) => {
    inside += 1
    working.set(caller, (working.get(caller) ?? 0) + 1)
  }
  const end = (caller: string) => {
    inside -= 1
    working.delete(caller)
    admit()
  }
  return async (turn, work) => {
    const { caller, subject } = turn
    if (inside < bounds.width && !working.has(caller)) begin(caller)
    else {
      await new Promise<void>((enter, refuse) => {
        if (!waiting.add({ caller, subject, enter, refuse })) refuse(full())
      })
    }
    let hasLeft = false
    const leave = () => {
      if (!hasLeft) end(caller)
      hasLeft = true
    }
    const timer = setTimeout(leave, bounds.placeMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
}
