import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startOwnProcess } from '../../support/own-process.ts'

const start = (fixture: string, ...args: string[]) =>
  startOwnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL(`../../fixtures/${fixture}.ts`, import.meta.url)), ...args],
  })

it('a program exits after its last step although something keeps the process alive', async () => {
  const program = start('kept-alive')
  await program.waitForOutput('ready')
  program.signal('SIGTERM')
  // At its limit it would end with code 1.
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(program.output()).toBe('ready\nstopped\n')
})

it('a program with a failing step still exits, and its code says so', async () => {
  const program = start('stopping', '0', 'fail')
  await program.waitForOutput('ready')
  program.signal('SIGINT')
  expect(await program.ended).toEqual({ code: 1, signal: null })
})

it('a step that takes too long is abandoned at the limit', async () => {
  const program = start('stopping', '60000', 'limit')
  await program.waitForOutput('ready')
  program.signal('SIGTERM')
  expect(await program.ended).toEqual({ code: 1, signal: null })
  expect(program.output()).toBe('ready\nstep\n')
})

it('a second signal ends the program at once', async () => {
  const program = start('stopping', '60000')
  await program.waitForOutput('ready')
  program.signal('SIGTERM')
  await program.waitForOutput('step')
  program.signal('SIGTERM')
  expect(await program.ended).toEqual({ code: 1, signal: null })
})

it('a second signal hurries a program that supports it, and it exits properly', async () => {
  const program = start('stopping', '60000', 'hurry')
  await program.waitForOutput('ready')
  program.signal('SIGTERM')
  await program.waitForOutput('step')
  program.signal('SIGINT')
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(program.output()).toBe('ready\nstep\nstopped\n')
})

it('a program whose supervisor holds its standard input exits with the supervisor', async () => {
  // The standard input of a process of these tests is closed from the start.
  const program = start('stopping', '0', 'supervised')
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(program.output()).toContain('stopped')
})
