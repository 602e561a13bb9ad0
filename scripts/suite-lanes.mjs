<<<<<<< HEAD
// In which order suites run, and which at the same time: those that mostly wait run beside those that compute.

/**
 * Runs the suites in two lanes and resolves with their results, in the order of `suites`, which are pairs of a name and a
 * suite. Those with `isBeside` follow one another in a lane of their own, the others in the first lane; a suite begins after
 * the one that it `needs`, which stands before it. `run` gives the result of one suite; `tell` is called with that of one
 * beside others when nothing else speaks; after `isStopped` none begins.
=======
// The order and parallelism of suites: one that mostly waits runs beside those that compute.

/**
 * Runs the suites and resolves with their results, in the order of `suites`, which are pairs of a name and a suite. One
 * that `isBeside` begins at once, beside the others, which follow one another; one that `isAlone` begins when nothing
 * else runs. `run` returns the result of one suite, `tell` receives that of a parallel one when nothing else prints;
 * after `isStopped` none begins.
>>>>>>> main
 */
export async function runInLanes(suites, { run, tell = () => {}, isStopped = () => false }) {
  const results = new Map()
  const untold = []
  const tellOthers = () => {
    for (const name of untold.splice(0)) tell(results.get(name))
  }
<<<<<<< HEAD
  const perform = async ([name, suite], isBeside) => {
    if (isStopped()) return
    if (!isBeside) tellOthers()
    results.set(name, await run(name, suite, { isBeside }))
    if (isBeside) untold.push(name)
=======
  for (const each of suites.filter(([, suite]) => suite.isBeside)) {
    // Without parallel suites the output need not be held back.
    if (suites.every(([, suite]) => suite.isBeside || suite.isAlone)) break
    if (!isStopped()) beside.set(each[0], perform(each, true))
>>>>>>> main
  }
  // Where nothing runs beside it, its output need not wait.
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
