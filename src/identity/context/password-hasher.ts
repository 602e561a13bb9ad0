import { hash, verify } from '@node-rs/argon2'

/** Argon2id with 19 MiB, 2 passes, 1 lane: the first of OWASP's equivalent settings. Memory in KiB. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Too many passwords are waiting to be hashed. The caller may retry shortly. */
export class HasherBusy extends Error {
  override name = 'HasherBusy'
}

/**
 * Whether the error is that refusal. The server and each route are separate bundles with separate classes, so
 * `instanceof` does not work.
 */
export const isHasherBusy = (error: unknown): boolean => error instanceof Error && error.name === 'HasherBusy'

export interface PasswordHasher {
  /**
   * Runs a sign-in in turn: only a few at a time, so that a crowd leaves database connections to everyone else. Refuses
   * with HasherBusy when too many wait.
   */
  turn<Result>(work: () => Promise<Result>): Promise<Result>
  hash(password: string): Promise<string>
  /** `stored` null means that the name is unknown: a dummy hash is checked, which takes as long and never matches. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** The two slow functions; tests replace them to count calls. */
export type HashFunctions = {
  hash(password: string): Promise<string>
  verify(stored: string, password: string): Promise<boolean>
}

const argon2: HashFunctions = {
  hash: (password) => hash(password.normalize('NFC'), SETTINGS),
  verify: (stored, password) => verify(stored, password.normalize('NFC')),
}

/** Runs at most `concurrency` tasks at once; refuses with HasherBusy when more than `maxWaiting` wait. */
export const boundedQueue = ({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) => {
  let active = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (active >= concurrency) {
      if (waiting.length >= maxWaiting) throw new HasherBusy('Too many passwords wait to be checked.')
      // The finished task hands its place over, so `active` does not change here.
      await new Promise<void>((resume) => waiting.push(resume))
    } else active += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else active -= 1
    }
  }
}

/**
 * Hashes and checks a few passwords at a time, so that a flood of sign-ins leaves processors and libuv threads to the
 * rest of the site. Passwords are compared in Unicode form NFC and otherwise exactly as typed.
 */
export const createPasswordHasher = (
  { concurrency = 1, maxWaiting = 64 }: { concurrency?: number; maxWaiting?: number } = {},
  functions: HashFunctions = argon2,
): PasswordHasher => {
  const queue = boundedQueue({ concurrency, maxWaiting })
  // One more than is hashed: its rows are read meanwhile.
  const turns = boundedQueue({ concurrency: concurrency + 1, maxWaiting })
  let standIn: Promise<string> | undefined
  return {
    turn: turns,
    hash: (password) => queue(() => functions.hash(password)),
    verify: (password, stored) =>
      queue(async () => {
        standIn ??= functions.hash('a password that nobody has')
        const hashed = stored ?? (await standIn)
        return (await functions.verify(hashed, password)) && stored !== null
      }),
  }
}
