/** The records of the clients and the ledger's contents; `explain` names the contradictions between them. */

/** One attempt of a client. `end` is missing when the client or its connection died before a response. */
export type Attempt = {
  /** The request; its attempts share a key, and a request id in the ledger. */
  readonly op: string
  readonly user: string
  readonly kind: Wish
  /** Nanoseconds of the machine's steady clock, which all processes share. */
  readonly begin: bigint
  readonly end?: bigint
  readonly answer?: 'ok' | 'refused' | 'short' | 'released'
  /** For a change the wallet's gain, negative for a loss; for a read the balance read. */
  readonly amountFt: bigint
}
export type Wish = 'top-up' | 'spins' | 'correction' | 'order' | 'renewal' | 'refund' | 'read'

/** One line of a wallet. */
export type Posted = {
  readonly user: string
  readonly op: string
  readonly kind: string
  readonly seq: number
  readonly amountFt: bigint
  readonly balanceFt: bigint
}
export type Ledger = {
  readonly wallets: readonly Posted[]
  /** Every transaction of the ledger by the request that caused it. */
  readonly transactions: readonly { readonly op: string; readonly kind: string }[]
}

/** The postings of a request that was executed once. */
const POSTINGS: Record<Exclude<Wish, 'read'>, readonly string[]> = {
  'top-up': ['top-up'],
  spins: ['spins'],
  correction: ['correction'],
  order: ['order'],
  renewal: ['renewal'],
  refund: ['refund', 'refund'],
}
const FOREVER = 2n ** 62n

/** All attempts of one request. */
type Family = {
  readonly op: string
  readonly user: string
  readonly kind: Wish
  readonly begin: bigint
  /** When a client first knew that it was executed; infinite if none did. */
  readonly known: bigint
  readonly outcome: 'ok' | 'refused' | 'released' | 'unknown'
  readonly attempts: readonly Attempt[]
}

function outcomeOf(attempts: readonly Attempt[]): Family['outcome'] {
  if (attempts.some(({ answer }) => answer === 'ok')) return 'ok'
  if (attempts.some(({ answer }) => answer === 'released')) return 'released'
  return attempts.some(({ answer }) => answer === undefined) ? 'unknown' : 'refused'
}

export function familiesOf(attempts: readonly Attempt[]): Family[] {
  const byOp = new Map<string, Attempt[]>()
  for (const attempt of attempts) {
    if (attempt.kind !== 'read') byOp.set(attempt.op, [...(byOp.get(attempt.op) ?? []), attempt])
  }
  return [...byOp].map(([op, all]) => {
    const [first] = all as [Attempt]
    const ends = all.flatMap(({ answer, end }) => (answer === 'ok' && end !== undefined ? [end] : []))
    return {
      op,
      user: first.user,
      kind: first.kind,
      attempts: all,
      outcome: outcomeOf(all),
      begin: all.reduce((least, { begin }) => (begin < least ? begin : least), FOREVER),
      known: ends.reduce((least, end) => (end < least ? end : least), FOREVER),
    }
  })
}

/** Checks that a request was executed once, never, or at most once, according to its responses. */
function wrongCount(family: Family, ledger: Ledger): string[] {
  const { op, kind, outcome } = family
  if (kind === 'read') return []
  const found = ledger.transactions.filter((each) => each.op === op).map((each) => each.kind)
  const whole = POSTINGS[kind].join()
  const seen = found.join()
  const isFine = outcome === 'ok' ? seen === whole : outcome === 'unknown' ? seen === '' || seen === whole : seen === ''
  return isFine ? [] : [`${kind} ${op} was answered ${outcome} and has the postings [${seen}]`]
}

/** A wallet's lines are numbered without a gap, add up, and match the requests. */
function wrongLines(wallet: readonly Posted[], families: ReadonlyMap<string, Family>): string[] {
  const wrong: string[] = []
  let balance = 0n
  for (const [index, line] of wallet.entries()) {
    balance += line.amountFt
    if (line.seq !== index + 1) wrong.push(`line ${line.seq} of ${line.user} stands at place ${index + 1}`)
    if (line.balanceFt !== balance)
      wrong.push(`line ${line.seq} of ${line.user} leaves ${line.balanceFt}, not ${balance}`)
    const family = families.get(line.op)
    const asked = family?.attempts[0]?.amountFt
    if (asked !== undefined && asked !== line.amountFt) wrong.push(`${line.op} moved ${line.amountFt}, not ${asked}`)
  }
  return wrong
}

/** The position of each request in its wallet must agree with the order that clients observed. */
function wrongOrder(wallet: readonly Posted[], families: ReadonlyMap<string, Family>): string[] {
  const wrong: string[] = []
  let latestBegin: { op: string; begin: bigint } | undefined
  for (const { op } of wallet) {
    const family = families.get(op)
    if (!family) continue
    if (latestBegin && family.known < latestBegin.begin) {
      wrong.push(`${op} was done before ${latestBegin.op} began and stands after it`)
    }
    if (!latestBegin || family.begin > latestBegin.begin) latestBegin = { op, begin: family.begin }
  }
  return wrong
}

/**
 * Between which balances of the wallet (by their positions, 0 is the empty one) an observed event must have happened.
 */
function windowOf(
  seen: { begin: bigint; end: bigint },
  wallet: readonly Posted[],
  families: ReadonlyMap<string, Family>,
) {
  let [from, to] = [0, wallet.length]
  for (const [index, { op }] of wallet.entries()) {
    const family = families.get(op)
    // Lines without a request existed before the first client.
    if (!family || family.known < seen.begin) from = index + 1
    if (family && family.begin > seen.end) to = Math.min(to, index)
  }
  return { from, to }
}

const balanceAt = (wallet: readonly Posted[], place: number): bigint =>
  place === 0 ? 0n : (wallet[place - 1]?.balanceFt ?? 0n)

/** Every balance read was the balance at some time during the read, and no later read returned an older one. */
function wrongReads(
  reads: readonly Attempt[],
  wallet: readonly Posted[],
  families: ReadonlyMap<string, Family>,
): string[] {
  const wrong: string[] = []
  const placed: { end: bigint; place: number }[] = []
  const ended = reads.flatMap((read) => (read.end === undefined ? [] : [{ ...read, end: read.end }]))
  for (const read of ended.toSorted((a, b) => (a.end < b.end ? -1 : 1))) {
    const { from, to } = windowOf(read, wallet, families)
    const past = placed.filter(({ end }) => end < read.begin).map(({ place }) => place)
    let place = Math.max(from, ...past)
    while (place <= to && balanceAt(wallet, place) !== read.amountFt) place += 1
    if (place > to) wrong.push(`${read.user} read ${read.amountFt}, which was not the balance then`)
    else placed.push({ end: read.end, place })
  }
  return wrong
}

/**
 * Whether an order's price may have been reserved during the interval: an attempt was running, and none had ended
 * before.
 */
function mayHold({ attempts }: Family, { begin, end }: { begin: bigint; end: bigint }): boolean {
  const isEnded = attempts.some(
    (each) => (each.answer === 'ok' || each.answer === 'released') && each.end !== undefined && each.end < begin,
  )
  return !isEnded && attempts.some((each) => each.begin < end && (each.end === undefined || each.end > begin))
}

/** A client that was refused for a low balance had less than that at some time, apart from reserved amounts. */
function wrongRefusals(family: Family, wallet: readonly Posted[], all: ReadonlyMap<string, Family>): string[] {
  return family.attempts.flatMap(({ answer, begin, end, amountFt, op }) => {
    if (answer !== 'short' || end === undefined) return []
    const { from, to } = windowOf({ begin, end }, wallet, all)
    const aside = [...all.values()]
      .filter(({ kind, user, op: other }) => kind === 'order' && user === family.user && other !== op)
      .filter((order) => mayHold(order, { begin, end }))
      .reduce((sum, { attempts }) => sum - (attempts[0]?.amountFt ?? 0n), 0n)
    for (let place = from; place <= to; place += 1) if (balanceAt(wallet, place) - aside < -amountFt) return []
    return [`${op} was refused for want of money that was there`]
  })
}

/**
 * The contradictions of a history: requests acknowledged and not executed exactly once, refused and executed, unknown
 * and executed twice; postings without a request; and wallets whose lines are in no order that the clients can have
 * observed.
 */
export function explain(
  attempts: readonly Attempt[],
  ledger: Ledger,
  known: ReadonlySet<string> = new Set(),
): string[] {
  const families = new Map(familiesOf(attempts).map((family) => [family.op, family]))
  const strange = ledger.transactions.filter(({ op }) => !families.has(op) && !known.has(op))
  const wrong = [
    ...strange.map(({ op, kind }) => `nobody asked for the ${kind} of ${op}`),
    ...[...families.values()].flatMap((family) => wrongCount(family, ledger)),
  ]
  for (const user of new Set([
    ...attempts.map((attempt) => attempt.user),
    ...ledger.wallets.map((line) => line.user),
  ])) {
    const wallet = ledger.wallets.filter((line) => line.user === user).toSorted((a, b) => a.seq - b.seq)
    const reads = attempts.filter((attempt) => attempt.kind === 'read' && attempt.user === user)
    const own = [...families.values()].filter((family) => family.user === user)
    wrong.push(...wrongLines(wallet, families), ...wrongOrder(wallet, families), ...wrongReads(reads, wallet, families))
    wrong.push(...own.flatMap((family) => wrongRefusals(family, wallet, families)))
  }
  return wrong
}
