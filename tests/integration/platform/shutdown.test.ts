import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startOwnProcess } from '../../support/own-process.ts'

it('ends after its last step although something keeps the process', async () => {
  const program = startOwnProcess({
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL('../../fixtures/kept-alive.ts', import.meta.url))],
  })
  await program.waitForOutput('ready')
  program.signal('SIGTERM')
  // At its limit it would end with code 1.
  expect(await program.ended).toEqual({ code: 0, signal: null })
  expect(program.output()).toBe('ready\nstopped\n')
})
