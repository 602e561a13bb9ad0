import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { handLock, holderOf, releaseLock, tryLock, waitForLock } from '../../../scripts/process-lock.mjs'
import { startOwnProcess } from '../../support/own-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const MODULE = new URL('../../../scripts/process-lock.mjs', import.meta.url).href

/** A process that takes the lock as soon as it is told the time, says what came of it, and stays. */
const contender = (file: string, atMs: number) =>
  startOwnProcess({
    command: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { tryLock } from ${JSON.stringify(MODULE)}
       while (Date.now() < ${atMs});
       console.log('holder', tryLock(${JSON.stringify(file)}) ?? 'own', 'end')
       setInterval(() => {}, 1000)`,
    ],
  })

test('of many that start at once over the file of a killed process, one gets the lock, and all know whose it is', async () => {
  const file = join(temporaryFolder(), 'lock')
  writeFileSync(file, `${process.pid} 1\n`)
  const atMs = Date.now() + 1_500
  const all = Array.from({ length: 8 }, () => contender(file, atMs))
  try {
    await Promise.all(all.map((one) => one.waitForOutput(/holder \w+ end/)))
    const owners = all.filter((one) => one.output().includes('own'))
    expect(owners).toHaveLength(1)
    const owner = owners[0]?.pid
    expect(holderOf(file)).toBe(owner)
    const seen = all.filter((one) => one.pid !== owner).map((one) => one.output().trim())
    expect(new Set(seen)).toEqual(new Set([`holder ${owner} end`]))
  } finally {
    for (const one of all) one.signal('SIGKILL')
    await Promise.all(all.map((one) => one.ended))
  }
})

test('a lock is waited for, also when it was handed to another process, and its end frees it', async () => {
  const file = join(temporaryFolder(), 'lock')
  const step = startOwnProcess({ command: 'sleep', args: ['600'] })
  expect(tryLock(file)).toBeUndefined()
  handLock(file, step.pid)
  expect(holderOf(file)).toBe(step.pid)
  const said: number[] = []
  const waiting = waitForLock(file, (holder) => {
    said.push(holder)
    step.signal('SIGKILL')
  })
  await waiting
  expect(said).toEqual([step.pid])
  expect(holderOf(file)).toBe(process.pid)
  releaseLock(file)
  expect(holderOf(file)).toBeUndefined()
})
