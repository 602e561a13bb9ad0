// The order and parallelism of suites: those that mostly wait run in parallel with those that compute.

/**
 * Runs the suites in two lanes and resolves with their results, in the order of `suites`, which are pairs of a name and a
 * suite. Suites with `isBeside` follow one another in the second lane, the others in the first; a suite begins after the one
 * that it `needs`, which precedes it in the list. `run` returns the result of one suite, `tell` receives that of a suite of
 * the second lane when the first one prints nothing; after `isStopped` none begins.
 */
export async function runInLanes(suites, { run, tell = () => {}, isStopped = () => false }) {
  const results = new Map()
  const untold = []
  const tellOthers = () => {
    for (const name of untold.splice(0)) tell(results.get(name))
  }
  const perform = async ([name, suite], isBeside) => {
    if (isStopped()) return
    if (!isBeside) tellOthers()
    results.set(name, await run(name, suite, { isBeside }))
    if (isBeside) untold.push(name)
  }
  // Without parallel suites the output need not be held back.
  const isOneLane = suites.every(([, suite]) => suite.isBeside)
  const lanes = { first: Promise.resolve(), beside: Promise.resolve() }
  const ends = new Map()
  for (const each of suites) {
    const [name, { isBeside = false, needs }] = each
    const lane = isBeside && !isOneLane ? 'beside' : 'first'
    lanes[lane] = Promise.all([lanes[lane], ends.get(needs)]).then(() => perform(each, lane === 'beside'))
    ends.set(name, lanes[lane])
  }
  await Promise.all(Object.values(lanes))
  tellOthers()
  return suites.flatMap(([name]) => (results.has(name) ? [results.get(name)] : []))
}
