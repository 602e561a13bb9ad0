import { keepSession } from '../support/console-page.ts'
import { openFiles, putFile, rootOf } from '../support/files-page.ts'
import { firstScripts } from '../support/first-scripts.ts'
import { expect, test } from './test.ts'

test.beforeEach(({ foldersAsFound }) => foldersAsFound)
test.afterEach(({ page }) => keepSession(page))

const KB = 1_000
/** The console, as among the budgets of the pages. */
const CONSOLE = 285 * KB
/** The list, its uploads that go on after a cut, and the page of the panel around it. */
const LIST = 325 * KB
/** The editor, the mode of one language and the merge view are beside the page. */
const EDITOR = 460 * KB

/** Words that stay in a built script: of CodeMirror's styles, of the reader of YAML, of the texts of server.properties. */
const CODE_MIRROR = /cm-activeLineGutter/
const YAML = /BLOCK_FOLDED/
const PROPERTY_TEXTS = /simulation-distance/

test('console and list of files load no editor; a file loads it, and the forms only where there is one', async ({
  page,
  dataDir,
}) => {
  const serverId = await openFiles(page)
  const root = await rootOf(page, { dataDir, serverId })
  putFile(root, 'notes.txt', 'a text')
  putFile(root, 'config.yml', 'a: 1\n')
  const load = async (path: string, isThere: string) => {
    const { bytes, texts } = await firstScripts(page, `/en/panel/${serverId}/${path}`, isThere)
    test.info().annotations.push({ type: path, description: `${bytes} bytes` })
    const has = (words: RegExp) => texts.some((text) => words.test(text))
    return { bytes, has: [has(CODE_MIRROR), has(YAML)], texts }
  }
  const console = await load('console', '[role=log]')
  expect.soft(console.has).toEqual([false, false])
  expect.soft(console.bytes).toBeLessThanOrEqual(CONSOLE)
  const list = await load('files', '.frow')
  expect.soft(list.has).toEqual([false, false])
  expect.soft(list.bytes).toBeLessThanOrEqual(LIST)

  const text = await load('edit/notes.txt', '.cm-content')
  expect.soft(text.has).toEqual([true, false])
  expect.soft(text.bytes).toBeLessThanOrEqual(EDITOR)

  // A file that no template describes needs no reader of its values.
  const yaml = await load('edit/config.yml', '.cm-content')
  expect.soft(yaml.has).toEqual([true, false])
  expect.soft(yaml.bytes).toBeLessThanOrEqual(EDITOR)

  putFile(root, 'server.properties', 'view-distance=10\n')
  const form = await load('edit/server.properties', '.prop')
  expect.soft(form.has).toEqual([true, false])
  expect.soft(form.texts.some((each) => PROPERTY_TEXTS.test(each))).toBe(true)
  expect.soft(form.bytes).toBeLessThanOrEqual(EDITOR)
})
