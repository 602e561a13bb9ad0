import { expect, it } from 'vitest'
import { groupOfActivity } from '#domain/servers/activity-groups.ts'
import { SERVER_TROUBLES } from '#domain/servers/server-trouble.ts'

it.each(SERVER_TROUBLES)('%s is something that a server did, never a person', (type) => {
  expect(groupOfActivity(type)).toBe('state')
})
