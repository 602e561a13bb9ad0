const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

/**
 * Runs a step and shows its progress: running seconds on a terminal, a line every 15 s elsewhere, and its duration.
 * Resolves with the step's result.
 */
export async function progress(title, step) {
  const start = performance.now()
  const { isTTY } = process.stdout
  const tick = () => {
    if (isTTY) process.stdout.write(`\r${title} … ${Math.round((performance.now() - start) / 1000)} s `)
    else console.log(`${title} … ${seconds(start)}`)
  }
  if (isTTY) tick()
  else console.log(`${title} …`)
  const timer = setInterval(tick, isTTY ? 1_000 : 15_000)
  try {
    const value = await step()
    console.log(`${isTTY ? '\r' : ''}${title}: done in ${seconds(start)}`)
    return value
  } catch (error) {
    console.log(`${isTTY ? '\r' : ''}${title}: failed after ${seconds(start)}`)
    throw error
  } finally {
    clearInterval(timer)
  }
}
