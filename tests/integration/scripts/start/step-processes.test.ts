import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { holderOf } from '../../../../scripts/start/process-lock.mjs'
import { startOwnProcess } from '../../../support/own-process.ts'
import { processTree, watchProcesses } from '../../../support/process-tree.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

const moduleOf = (name: string) =>
  JSON.stringify(new URL(`../../../../scripts/start/${name}.mjs`, import.meta.url).href)

/** Runs a supervisor that starts one step: a shell with a child, which ignores SIGTERM when it is `stubborn`. */
async function supervisor({ isStubborn }: { isStubborn: boolean }) {
  const folder = temporaryFolder()
  const lockFile = join(folder, 'lock')
  const step = `${isStubborn ? "trap '' TERM; " : ''}sleep 600 & echo started $!; wait`
  writeFileSync(
    join(folder, 'supervisor.mjs'),
    `import { endSteps, spawnStep } from ${moduleOf('step-processes')}
     import { tryLock } from ${moduleOf('process-lock')}
     tryLock(${JSON.stringify(lockFile)})
     const child = spawnStep('sh', ['-c', ${JSON.stringify(step)}], { env: process.env, lockFile: ${JSON.stringify(lockFile)} })
     child.stdout.pipe(process.stdout)
     child.once('close', (code) => console.log('closed', code))
     process.on('SIGTERM', () => void endSteps().then(() => console.log('nothing is left')))
     setInterval(() => {}, 1000)`,
  )
  const own = startOwnProcess({ command: process.execPath, args: [join(folder, 'supervisor.mjs')] })
  await own.waitForOutput(/started \d+/)
  const sleeper = Number(/started (\d+)/.exec(own.output())?.[1])
  const left = watchProcesses(processTree(own.pid).filter((pid) => pid !== own.pid))
  expect(left()).toContain(sleeper)
  return { own, lockFile, left }
}

test('a killed supervisor ends its step and everything that the step started', async () => {
  const { own, left, lockFile } = await supervisor({ isStubborn: false })
  own.signal('SIGKILL')
  await own.ended
  await waitFor('the step to end', () => left().length === 0)
  expect(holderOf(lockFile)).toBeUndefined()
})

test('the lock of a killed supervisor is held until the step has ended, and a step that ignores the signal is killed', async () => {
  const { own, left, lockFile } = await supervisor({ isStubborn: true })
  // It is halted while we look: five seconds after the signal that the step ignores, it kills the step.
  const guard = Number(readFileSync(lockFile, 'utf8').split(' ')[0])
  process.kill(guard, 'SIGSTOP')
  onTestFinished(() => {
    try {
      process.kill(guard, 'SIGCONT')
    } catch {
      // It has ended.
    }
  })
  own.signal('SIGKILL')
  await own.ended
  // The step still runs: nobody may begin the same work.
  expect(left()).toContain(guard)
  expect(holderOf(lockFile)).toBe(guard)
  process.kill(guard, 'SIGCONT')
  await waitFor('the step to end', () => left().length === 0)
  expect(holderOf(lockFile)).toBeUndefined()
})

test('ending the steps leaves no process of them', async () => {
  const { own, left } = await supervisor({ isStubborn: false })
  own.signal('SIGTERM')
  await own.waitForOutput('nothing is left')
  expect(left()).toEqual([])
  own.signal('SIGKILL')
  await own.ended
})

test('a step has its own code and output, and a missing one is named', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'supervisor.mjs'),
    `import { spawnStep } from ${moduleOf('step-processes')}
     const run = (...step) => new Promise((done) => {
       const child = spawnStep(...step, { env: process.env })
       let output = ''
       for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
       child.once('close', (code) => done(code + ' ' + output.trim()))
     })
     console.log(await run('sh', ['-c', 'echo spoken; exit 3']))
     console.log(await run('no-such-program', []))`,
  )
  const own = startOwnProcess({ command: process.execPath, args: [join(folder, 'supervisor.mjs')] })
  expect(await own.ended).toMatchObject({ code: 0 })
  expect(own.output().split('\n')).toEqual(['3 spoken', '127 spawn no-such-program ENOENT', ''])
})
