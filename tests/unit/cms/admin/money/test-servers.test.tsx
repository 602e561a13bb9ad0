// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { TestServers } from '../../../../../src/cms/admin/money/test-servers.tsx'
import { press, showAdmin, textOf, type } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

const game = {
  id: 's',
  name: 'Minecraft',
  category: 'gameServer',
  orderable: true,
  unavailableReason: null,
  packages: [{ id: 'p', name: 'Small', orderable: true }],
}

test('only services and packages that this installation can install are offered, and no virtual machines', async () => {
  const gone = { id: 'q', name: 'Gone', orderable: false }
  await showAdmin(<TestServers />, () => [
    { ...game, id: 'v', name: 'VPS', category: 'vps' },
    { ...game, id: 'o', name: 'Old', orderable: false },
    { ...game, id: 'n', name: 'Nowhere', unavailableReason: 'No computer has room.' },
    { ...game, id: 'e', name: 'Empty', packages: [gone] },
    { ...game, packages: [gone, ...game.packages] },
  ])
  expect(textOf('option')).toBe('Minecraft Small')
})

test('services that could not be read are no empty lists to choose from', async () => {
  const answers = [undefined, [game]]
  await showAdmin(<TestServers />, () => answers.shift())
  expect(textOf('[role=alert]')).toContain("This didn't load.")
  expect(document.querySelectorAll('select')).toHaveLength(0)
  await press('Try again')
  expect(textOf('option')).toBe('Minecraft Small')
})

test('a test server without a name is refused at its field, which has the focus, and nothing is granted', async () => {
  const { posts } = await showAdmin(<TestServers />, () => [game])
  await type('Server name', '   ')
  await press('Check')
  expect(textOf('.bakter-field .bakter-fault')).toContain('name the server')
  expect(document.activeElement).toBe(document.querySelector('form input'))
  expect(posts()).toEqual([])
})
