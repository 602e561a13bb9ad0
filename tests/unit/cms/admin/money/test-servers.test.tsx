// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { TestServers } from '../../../../../src/cms/admin/money/test-servers.tsx'
import { press, showAdmin, textOf, type } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

test('services that could not be read are no empty lists to choose from', async () => {
  const game = { id: 's', name: 'Minecraft', packages: [{ id: 'p', name: 'Small' }] }
  const answers = [undefined, [game]]
  await showAdmin(<TestServers />, () => answers.shift())
  expect(textOf('[role=alert]')).toContain("This didn't load.")
  expect(document.querySelectorAll('select')).toHaveLength(0)
  await press('Try again')
  expect(textOf('option')).toBe('Minecraft Small')
})

test('a test server without a name is refused at its field, which has the focus, and nothing is granted', async () => {
  const game = { id: 's', name: 'Minecraft', packages: [{ id: 'p', name: 'Small' }] }
  const { posts } = await showAdmin(<TestServers />, () => [game])
  await type('Server name', '   ')
  await press('Check')
  expect(textOf('.bakter-field .bakter-fault')).toContain('name the server')
  expect(document.activeElement).toBe(document.querySelector('form input'))
  expect(posts()).toEqual([])
})
