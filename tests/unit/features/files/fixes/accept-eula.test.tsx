// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Server } from '#contracts/http/server.ts'
import { AcceptEula } from '../../../../../src/features/files/fixes/accept-eula.tsx'
import { FileTrouble } from '../../../../../src/features/files/file-trouble.ts'
import { ToastProvider } from '../../../../../src/ui/surfaces/toast.tsx'
import { shownServer, shownUser } from '../../../../factories/shown-server.ts'
import { eventually, shownPage } from '../../../../support/shown-page.tsx'
import type { ShownPage } from '../../../../support/shown-page.tsx'

/** The only file of the node, as text with its version. */
const disk = vi.hoisted(() => ({ text: null as string | null, version: 0 }))
vi.mock('../../../../../src/features/files/files-context.tsx', async (original) => ({
  ...(await original<object>()),
  filesOf: (server: { suspended: boolean }) => ({
    isReadOnly: server.suspended,
    node: {
      read: async () => {
        if (disk.text === null) throw new FileTrouble('NOT_FOUND')
        const bytes = new TextEncoder().encode(disk.text)
        return { bytes, total: bytes.length, etag: String(disk.version) }
      },
      write: async (_path: string, bytes: Uint8Array, etag: string | null) => {
        if (etag !== (disk.text === null ? null : String(disk.version))) throw new FileTrouble('CHANGED')
        Object.assign(disk, { text: new TextDecoder().decode(bytes), version: disk.version + 1 })
        return String(disk.version)
      },
      call: async () => Object.assign(disk, { text: null }),
    },
  }),
}))

let page: ShownPage
beforeEach(() => Object.assign(disk, { text: '#By changing\neula=false\n', version: 1 }))
afterEach(() => {
  page.close()
  vi.unstubAllGlobals()
})

const open = (change: Partial<Server> = {}) => {
  const server = shownServer({
    permissions: ['file.list', 'file.read', 'file.create', 'file.update', 'control.start'],
    ...change,
  })
  page = shownPage(
    <ToastProvider closeLabel="Close">
      <AcceptEula server={server} />
    </ToastProvider>,
    { 'GET /api/user/me': () => Response.json(shownUser()) },
  )
}
const accept = async () => {
  const button = await page.see('.known-fix > button', 'Accept the EULA')
  button.click()
  await page.see('dialog[open]', 'By confirming, you accept the Minecraft EULA yourself')
  expect(disk.text).toBe('#By changing\neula=false\n')
  const confirm = await page.see('dialog[open] button', 'Accept the EULA')
  confirm.click()
  await page.see('.known-done', 'eula.txt now says eula=true. Start the server.')
}

test('nothing is written before the confirmation; then the file accepts, a start is offered, and undo brings the bytes back', async () => {
  open()
  await accept()
  expect(disk.text).toBe('#By changing\neula=true\n')
  await page.see('.known-done button', 'Start')
  const undo = await page.see('.known-done button', 'Undo')
  undo.click()
  await page.see('.toast', 'eula.txt is as it was before.')
  expect(disk.text).toBe('#By changing\neula=false\n')
  await page.see('.known-fix > button', 'Accept the EULA')
})

test('undo leaves a file that has changed meanwhile, and says so', async () => {
  open()
  await accept()
  Object.assign(disk, { text: 'eula=true\n#mine\n', version: 9 })
  const undo = await page.see('.known-done button', 'Undo')
  undo.click()
  await page.see('.toast', 'eula.txt has changed in the meantime')
  expect(disk.text).toBe('eula=true\n#mine\n')
})

test.each([
  [
    'a missing permission is named',
    { permissions: ['file.list', 'file.read', 'file.create'] as const },
    '“Edit files”',
  ],
  ['files that cannot change now say so', { suspended: true }, "Files can't be changed right now."],
])('%s, and there is no button', async (_, change, words) => {
  open(change as Partial<Server>)
  await eventually(() => expect(page.text()).toContain(words))
  expect(page.find('button', 'Accept')).toBeUndefined()
})
