// The order and parallelism of suites: one that mostly waits runs beside those that compute.

/**
 * Runs the suites and resolves with their results, in the order of `suites`, which are pairs of a name and a suite. One
 * that `isBeside` begins at once, beside the others, which follow one another; one that `isAlone` begins when nothing
 * else runs. `run` returns the result of one suite, `tell` receives that of a parallel one when nothing else prints;
 * after `isStopped` none begins.
 */
export async function runInLanes(suites, { run, tell = () => {}, isStopped = () => false }) {
  const results = new Map()
  const perform = async ([name, suite], isBeside) => void results.set(name, await run(name, suite, { isBeside }))
  const beside = new Map()
  const tellBeside = async () => {
    for (const [name, end] of beside) {
      await end
      beside.delete(name)
      tell(results.get(name))
    }
  }
  for (const each of suites.filter(([, suite]) => suite.isBeside)) {
    // Without parallel suites the output need not be held back.
    if (suites.every(([, suite]) => suite.isBeside || suite.isAlone)) break
    if (!isStopped()) beside.set(each[0], perform(each, true))
  }
  for (const each of suites) {
    const [name, suite] = each
    if (suite.isAlone || suite.isBeside) await tellBeside()
    if (!isStopped() && !results.has(name)) await perform(each, false)
  }
  await tellBeside()
  return suites.flatMap(([name]) => (results.has(name) ? [results.get(name)] : []))
}
