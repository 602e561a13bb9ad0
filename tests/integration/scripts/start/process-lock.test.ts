import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { handLock, holderOf, releaseLock, tryLock, waitForLock } from '../../../../scripts/start/process-lock.mjs'
import { startOwnProcess } from '../../../support/own-process.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** Called before each step of this process at the lock's files. */
const steps = vi.hoisted(() => ({ before: (): void => {} }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const watched = ['linkSync', 'readFileSync', 'renameSync', 'rmSync', 'writeFileSync'] as const
  const step = (name: (typeof watched)[number]) => (first: never, second: never, third: never) => {
    if (!String(first).startsWith('/proc/')) steps.before()
    return fs[name](first, second, third)
  }
  return { ...fs, ...Object.fromEntries(watched.map((name) => [name, step(name)])) }
})

const MODULE = new URL('../../../../scripts/start/process-lock.mjs', import.meta.url).href

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

test('of many that start at once over the file of a killed process, one gets the lock, and all know its owner', async () => {
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

/** A process that takes the lock once a file is there, writes what came of it, and stays. */
const onCall = (file: string, name: string) => {
  const own = startOwnProcess({
    command: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { existsSync, writeFileSync } from 'node:fs'
       import { tryLock } from ${JSON.stringify(MODULE)}
       const look = setInterval(() => {
         if (!existsSync(${JSON.stringify(`${file}.call-${name}`)})) return
         clearInterval(look)
         writeFileSync(${JSON.stringify(`${file}.took-${name}`)}, String(tryLock(${JSON.stringify(file)}) ?? 'own'))
       }, 1)
       setInterval(() => {}, 1000)
       console.log('ready')`,
    ],
  })
  return {
    own,
    answer: () => (existsSync(`${file}.took-${name}`) ? readFileSync(`${file}.took-${name}`, 'utf8') : '') || undefined,
    /** Runs it, and goes on when it has its answer, or waits for us. */
    run: (fs: Pick<typeof import('node:fs'), 'existsSync' | 'writeFileSync'>) => {
      fs.writeFileSync(`${file}.call-${name}`, '')
      const nap = new Int32Array(new SharedArrayBuffer(4))
      for (let n = 0; n < 40 && !fs.existsSync(`${file}.took-${name}`); n += 1) Atomics.wait(nap, 0, 0, 1)
    },
  }
}

test('wherever a slow process pauses while two others arrive, one of the three has the lock', async () => {
  const fs = await vi.importActual<typeof import('node:fs')>('node:fs')
  /** Two others come before these steps of ours; answers how many steps there were. */
  const raced = async (first: number, second: number): Promise<number> => {
    const file = join(temporaryFolder(), 'lock')
    fs.writeFileSync(file, `${process.pid} 1\n`)
    const others = [onCall(file, 'a'), onCall(file, 'b')]
    try {
      await Promise.all(others.map(({ own }) => own.waitForOutput('ready')))
      let count = 0
      steps.before = () => {
        count += 1
        if (count === first) others[0]?.run(fs)
        if (count === second) others[1]?.run(fs)
      }
      const ours = tryLock(file)
      steps.before = () => {}
      const ran = others.slice(0, Number(count >= first) + Number(count >= second))
      const answers = await Promise.all(ran.map(({ answer }) => waitFor('an answer', answer)))
      const owners = ran.filter((_, at) => answers[at] === 'own')
      const pids = [...owners.map(({ own }) => own.pid), ...(ours === undefined ? [process.pid] : [])]
      expect([first, second, pids]).toEqual([first, second, [holderOf(file)]])
      return count
    } finally {
      steps.before = () => {}
      for (const { own } of others) own.signal('SIGKILL')
      await Promise.all(others.map(({ own }) => own.ended))
    }
  }
  const NEVER = 1_000
  const most = await raced(NEVER, NEVER)
  expect(most).toBeGreaterThan(4)
  for (let first = 1; first < most; first += 1)
    for (let second = first + 1; second <= most; second += 1) await raced(first, second)
}, 240_000)

test('a lock is waited for, also when it was handed to another process, and is released when that ends', async () => {
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
