import { nodeArguments } from './node-arguments.mjs'
import { Refusal } from './preflight.mjs'
import { killStep, spawnStep } from './step-processes.mjs'

/** A step that exits with this code has printed a fixable fault on stderr, in one sentence. */
const EX_CONFIG = 78

/**
 * Runs one of the steps that are separate programs (`migrate`, `seed`): the bundle, or the source in development.
 * Resolves with its output; rejects with the end of it. `timeoutMs` limits it.
 */
export function runStep({ name, env, isDevelopment, timeoutMs = 300_000 }) {
  const file = isDevelopment ? `scripts/${name}.ts` : `dist/${name}.mjs`
  const args = [...nodeArguments(isDevelopment), file]
  return new Promise((done, fail) => {
    const child = spawnStep(process.execPath, args, { env })
    const limit = setTimeout(() => killStep(child), timeoutMs)
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk) => (errors = (errors + chunk).slice(-8_000)))
    child.once('error', fail)
    child.once('close', (code) => {
      clearTimeout(limit)
      if (code === 0) done(output)
      else if (code === EX_CONFIG) fail(new Refusal(errors.trim()))
      else fail(new Error(`The step "${name}" failed.\n${output}${errors}`))
    })
  })
}
