import { expect, test } from 'vitest'
import { openFileName } from '@/features/dashboard/panel-title.ts'

test.each([
  ['/panel/acdefghj/edit/server.properties', 'server.properties'],
  ['/panel/acdefghj/edit/plugins/a%20b/config.yml', 'config.yml'],
  ['/panel/acdefghj/edit/100%', '100%'],
  ['/panel/acdefghj/files', undefined],
  ['/panel/acdefghj/edit', undefined],
  ['/dashboard/servers', undefined],
])('the editor at %s has %s open', (path, name) => {
  expect(openFileName(path)).toBe(name)
})
