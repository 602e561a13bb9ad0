import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { watchFolders } from '../../../../scripts/start/watch-folders.mjs'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** Makes `change` and waits until it is told; what an earlier one has still to tell is waited for first. */
async function watched(folder: string) {
  let told = 0
  const stop = watchFolders([folder, join(folder, 'nothing')], {
    onChange: () => (told += 1),
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(stop)
  const quiet = async () => {
    for (let before = -1; before !== told;) {
      before = told
      await new Promise((done) => setTimeout(done, 30))
    }
  }
  const expectTold = async (what: string, change: () => void) => {
    await quiet()
    const before = told
    change()
    await waitFor(`${what} to be told`, () => told > before)
  }
  return { expectTold, stop, quiet, told: () => told }
}

/** As editors, git and sed write: another file takes the place. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.swap`, text)
  renameSync(`${file}.swap`, file)
}

test('every replacement of a file is reported, and so are new and recreated folders', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a/b/source.ts')
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  writeFileSync(file, '1')
  const { expectTold } = await watched(folder)
  await expectTold('writing', () => writeFileSync(file, '2'))
  for (const text of ['3', '4', '5']) {
    await expectTold(`replacing by ${text}`, () => replace(file, text))
    await expectTold(`writing after ${text}`, () => appendFileSync(file, ' '))
  }
  await expectTold('removing', () => rmSync(file))
  await expectTold('making again', () => writeFileSync(file, '6'))
  await expectTold('a new folder', () => mkdirSync(join(folder, 'a/c/d'), { recursive: true }))
  await expectTold('a file in it', () => writeFileSync(join(folder, 'a/c/d/new.ts'), '1'))
  await expectTold('removing a folder', () => rmSync(join(folder, 'a'), { recursive: true }))
  await expectTold('making it again', () => mkdirSync(join(folder, 'a/b'), { recursive: true }))
  await expectTold('a file in the folder of the same name', () => writeFileSync(file, '7'))
})

test('a stopped watcher reports nothing', async () => {
  const folder = temporaryFolder()
  const { expectTold, stop, quiet, told } = await watched(folder)
  await expectTold('a file', () => writeFileSync(join(folder, 'one.ts'), '1'))
  await quiet()
  const before = told()
  stop()
  writeFileSync(join(folder, 'two.ts'), '2')
  await quiet()
  expect(told()).toBe(before)
})
