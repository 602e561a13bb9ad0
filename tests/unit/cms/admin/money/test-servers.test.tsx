// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { TestServers } from '../../../../../src/cms/admin/money/test-servers.tsx'
import { press, showAdmin, textOf } from '../../../../support/admin-screen.tsx'

vi.mock('@payloadcms/ui', () => import('../../../../support/payload-ui.tsx'))

test('services that could not be read are no empty lists to choose from', async () => {
  const game = { id: 's', name: 'Minecraft', packages: [{ id: 'p', name: 'Small' }] }
  const answers = [undefined, [game]]
  await showAdmin(<TestServers />, () => answers.shift())
  expect(textOf('[role=alert]')).toContain('This cannot be read now.')
  expect(document.querySelectorAll('select')).toHaveLength(0)
  await press('Try again')
  expect(textOf('option')).toBe('Minecraft Small')
})
