const secondsSince = (start) => `${((performance.now() - start) / 1_000).toFixed(1)} s`

/** Titles are padded to this width, so that results stand in a column. */
const TITLE_WIDTH = 30

/** A line of the start's report: the mark, the step, its result. */
export const stepLine = (mark, title, result) => `  ${mark} ${title.padEnd(TITLE_WIDTH)}${result}`.trimEnd()

/**
 * Runs a step and shows its progress: running seconds on a terminal, a line every 15 s elsewhere, and at the end what
 * it did and how long it took. `resultOf` turns the step's result into a few words. Resolves with the step's result.
 */
export async function progress(title, step, resultOf = () => '') {
  const start = performance.now()
  const { isTTY } = process.stdout
  const show = (line) => (isTTY ? process.stdout.write(`\r\u001b[K${line}`) : console.log(line))
  const end = (line) => console.log(`${isTTY ? '\r\u001b[K' : ''}${line}`)
  const tick = () => show(stepLine('…', title, secondsSince(start)))
  if (isTTY) tick()
  const timer = setInterval(tick, isTTY ? 1_000 : 15_000)
  try {
    const value = await step()
    const result = resultOf(value)
    end(stepLine('✓', title, result === '' ? secondsSince(start) : `${result}, ${secondsSince(start)}`))
    return value
  } catch (error) {
    end(stepLine('✗', title, `failed after ${secondsSince(start)}`))
    throw error
  } finally {
    clearInterval(timer)
  }
}
