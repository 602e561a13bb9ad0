import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startOwnProcess } from '../../../support/own-process.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

const moduleOf = (name: string) =>
  JSON.stringify(new URL(`../../../../scripts/start/${name}.mjs`, import.meta.url).href)

/** A supervisor with one program, the agent, which notes each SIGTERM and ends at the second, or when the file `end` comes. */
async function supervisor({ isUnderNpm = false, isUnread = false, samePressMs = 1_000 } = {}) {
  const folder = temporaryFolder()
  const notes = join(folder, 'notes')
  writeFileSync(
    join(folder, 'program.cjs'),
    `const { appendFileSync, existsSync } = require('node:fs')
     let asked = 0
     process.on('SIGTERM', () => {
       appendFileSync(${JSON.stringify(notes)}, 'term ')
       if (++asked === 2) process.exit(0)
     })
     appendFileSync(${JSON.stringify(notes)}, 'start ')
     setInterval(() => { if (existsSync(${JSON.stringify(join(folder, 'end'))})) process.exit(0) }, 20)`,
  )
  writeFileSync(
    join(folder, 'supervisor.mjs'),
    `import { Shutdown } from ${moduleOf('shutdown')}
     import { SupervisedProgram } from ${moduleOf('supervised-program')}
     const shutdown = new Shutdown({ samePressMs: ${samePressMs} })
     shutdown.listen()
     const program = new SupervisedProgram({
       name: 'agent', command: [process.execPath, ${JSON.stringify(join(folder, 'program.cjs'))}], env: process.env,
       healthUrl: 'http://127.0.0.1:1', logFile: ${JSON.stringify(join(folder, 'log'))}, say: () => {},
     })
     shutdown.programs.unshift(program)
     program.start()
     shutdown.undo.unshift(() => console.log('undone'))`,
  )
  // As npm does: a parent that hands on its output, and whose name stands in the environment.
  writeFileSync(
    join(folder, 'npm.cjs'),
    `require('node:child_process').spawn(process.execPath, [${JSON.stringify(join(folder, 'supervisor.mjs'))}],
       { stdio: 'inherit', env: { ...process.env, npm_lifecycle_event: 'start' } })`,
  )
  const program = join(folder, isUnderNpm ? 'npm.cjs' : 'supervisor.mjs')
  // Output goes to a reader that has ended, as with `npm start | head`.
  const unread = ['-c', 'exec "$0" "$1" > >(exec true) 2>&1', process.execPath, program]
  const own = startOwnProcess(
    isUnread ? { command: 'bash', args: unread } : { command: process.execPath, args: [program] },
  )
  const seen = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim() : '')
  await waitFor('the program', () => seen() === 'start')
  return { own, seen, end: () => writeFileSync(join(folder, 'end'), '') }
}

test('a signal that arrives twice, as through npm, is one press', async () => {
  const { own, seen, end } = await supervisor({ samePressMs: 60_000 })
  own.signal('SIGINT')
  await own.waitForOutput('Stopping')
  own.signal('SIGINT')
  await waitFor('the program to be asked', () => seen() === 'start term')
  end()
  expect(await own.ended).toEqual({ code: 0, signal: null })
  expect(own.output()).not.toContain('Forced.')
  expect(own.output()).toContain('undone')
  expect(seen()).toBe('start term')
})

test('a second press repeats the request, so that the agent stops its servers before it ends', async () => {
  const { own, seen } = await supervisor()
  own.signal('SIGINT')
  await waitFor('the program to be asked', () => seen() === 'start term')
  await new Promise((done) => setTimeout(done, 1_100))
  own.signal('SIGINT')
  await own.ended
  expect(own.output()).toContain('Forced.')
  expect(seen()).toBe('start term term')
})

test('a supervisor whose reader has gone still stops in order', async () => {
  const { own, seen, end } = await supervisor({ isUnread: true })
  own.signal('SIGINT')
  await waitFor('the program to be asked', () => seen() === 'start term')
  end()
  expect(await own.ended).toEqual({ code: 0, signal: null })
})

test('a killed npm ends its programs as well', async () => {
  const { own, seen, end } = await supervisor({ isUnderNpm: true })
  own.signal('SIGKILL')
  await waitFor('the program to be asked', () => seen() === 'start term')
  end()
  // Its output is open as long as the supervisor runs.
  await own.ended
  expect(own.output()).toContain('undone')
})
