import { expect, test } from 'vitest'
import { builtPanelPages } from '#contracts/features.ts'
import { CONTENT_PERMISSIONS, DOWNLOAD_PERMISSION, NODE_FILE_CALLS } from '#contracts/panel/node-files.ts'
import { PORTS_PERMISSION } from '#contracts/panel/node-ports.ts'
import { listedOnly, OFFERED_GROUPS, OFFERED_PERMISSIONS } from '#contracts/panel/offered-permissions.ts'
import {
  PERMISSION_OF_CALL,
  PERMISSION_OF_MESSAGE,
  PERMISSION_OF_TOKEN,
  PERMISSIONS,
} from '#contracts/panel/permissions.ts'
import { PERMISSION_OF_SFTP_VERB } from '#contracts/panel/sftp-verbs.ts'
import { groupOf } from '#domain/servers/permissions.ts'
import english from '../../../../src/messages/en.json' with { type: 'json' }

test('every permission that a call or a message of this build asks for is offered', () => {
  const named: readonly string[] = [
    ...Object.values(PERMISSION_OF_CALL),
    ...Object.values(PERMISSION_OF_MESSAGE),
  ].flatMap((asked) => (typeof asked === 'string' ? [asked] : Object.values(asked ?? {})))
  const asked = PERMISSIONS.filter((permission) => named.includes(permission))
  expect(OFFERED_PERMISSIONS).toEqual(expect.arrayContaining(asked))
})

test('no permission of a page that this build lacks is offered', () => {
  const pages = builtPanelPages as readonly string[]
  const groups = OFFERED_GROUPS.map(({ group }) => group as string)
  expect([
    pages.includes('databases'),
    pages.includes('timers'),
    pages.includes('saves'),
    pages.includes('networks'),
  ]).toEqual([
    groups.includes('database'),
    groups.includes('timer'),
    groups.includes('backup'),
    groups.includes('allocation'),
  ])
  expect(OFFERED_PERMISSIONS.length).toBeGreaterThanOrEqual(15)
})

test('every permission and every subject has its words', () => {
  const { keys, groups } = english.collaborators
  const worded = Object.entries(keys).flatMap(([group, words]) => Object.keys(words).map((key) => `${group}.${key}`))
  expect(worded.toSorted()).toEqual([...PERMISSIONS].toSorted())
  expect(Object.keys(groups).toSorted()).toEqual([...new Set(PERMISSIONS.map(groupOf))].toSorted())
})

test('a set that is ticked one by one has nothing that no page lists, but for what its reader may not take away', () => {
  const hidden = PERMISSIONS.filter((key) => !OFFERED_PERMISSIONS.includes(key))
  expect(hidden).not.toEqual([])
  expect(listedOnly(PERMISSIONS, PERMISSIONS)).toEqual(PERMISSIONS.filter((key) => !hidden.includes(key)))
  expect(listedOnly(hidden, [])).toEqual(hidden)
})

/** The tables from which the matrices of permissions are made, by their wire. */
const WIRES = {
  // integration/platform/sub-user-matrix, integration/api/missing-permission
  routes: [PERMISSION_OF_CALL, PERMISSION_OF_TOKEN],
  // unit/agents/http/panel-session
  socket: PERMISSION_OF_MESSAGE,
  // integration/agents/files-permissions
  node: [NODE_FILE_CALLS, CONTENT_PERMISSIONS, DOWNLOAD_PERMISSION, PORTS_PERMISSION],
  // unit/agents/sftp/sftp-channel, integration/platform/file-logins
  sftp: [PERMISSION_OF_SFTP_VERB, 'file.sftp'],
}

const keysIn = (table: unknown): string[] => {
  if (typeof table === 'string') return [table]
  return typeof table === 'object' && table !== null ? Object.values(table).flatMap(keysIn) : []
}
const asked = new Set(keysIn(WIRES))

test('every permission that somebody can be given is asked for on a wire, and no other one is', () => {
  expect(PERMISSIONS.filter((key) => asked.has(key))).toEqual(
    PERMISSIONS.filter((key) => OFFERED_PERMISSIONS.includes(key)),
  )
})
