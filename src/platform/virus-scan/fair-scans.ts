import { createFairTurns } from '../fair-turns.ts'
import { isOverloaded } from '../overloaded.ts'
import { ScanFailure, type VirusScanner } from './virus-scanner.ts'

/** `accounts` have a file scanned at once, one each; `waiting` others wait, `each` of one account. A verdict takes at most `withinMs`, waiting included. */
export type FairScanBounds = {
  readonly accounts: number
  readonly waiting: number
  readonly each: number
  readonly withinMs: number
}

/** One place fewer than the scanner has (clamd.ts): files of mails, which have no account, find theirs. A message has five files. */
const BOUNDS: FairScanBounds = { accounts: 3, waiting: 16, each: 5, withinMs: 30_000 }

/** The scanner, which no account can take away from the others: their files have turns. */
export function fairScans(scanner: VirusScanner, bounds: FairScanBounds = BOUNDS): VirusScanner {
  const { accounts, waiting, each, withinMs } = bounds
  const turns = createFairTurns({
    width: accounts,
    waiting,
    waitingPerAddress: each,
    waitingPerAccount: each,
    placeMs: withinMs,
  })
  const inTurn = async (bytes: Uint8Array, account: string) => {
    let isLate = false
    const scanned = turns({ caller: account }, () =>
      isLate ? Promise.reject(new ScanFailure('LATE')) : scanner.scan(bytes, account),
    )
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(new ScanFailure('LATE'))
      }, withinMs)
    })
    try {
      return await Promise.race([scanned, late])
    } catch (error) {
      throw isOverloaded(error) ? new ScanFailure('BUSY', error) : error
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    scan: (bytes, account) => (account === undefined ? scanner.scan(bytes) : inTurn(bytes, account)),
  }
}
