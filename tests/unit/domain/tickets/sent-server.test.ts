import { expect, test } from 'vitest'
import { sentServerQuery, withSentServer } from '../../../../src/domain/tickets/sent-server.ts'

interface View {
  readonly title: string
  readonly server?: object | undefined
  readonly serverMark?: string | undefined
}
const server = { name: 'Night watch' }

test('a page names the mark of what it has, and none without its content', () => {
  expect(sentServerQuery({ server, serverMark: 'a' })).toEqual({ serverMark: 'a' })
  for (const known of [undefined, {}, { server }, { serverMark: 'a' }]) expect(sentServerQuery(known)).toEqual({})
})

test('the page keeps the facts that an answer leaves out because the page has them', () => {
  const known: View = { title: 'Before', server, serverMark: 'a' }
  expect(withSentServer(known, { title: 'Now', serverMark: 'a' })).toEqual({ title: 'Now', server, serverMark: 'a' })
})

test('other content, none, and that of another mark are taken as they came', () => {
  const known: View = { title: 'Before', server, serverMark: 'a' }
  for (const newest of [
    { title: 'Now', server: { name: 'Other' }, serverMark: 'b' },
    { title: 'Now', serverMark: 'b' },
    { title: 'Now' },
  ])
    expect(withSentServer<View>(known, newest)).toBe(newest)
  const first: View = { title: 'First', server, serverMark: 'a' }
  expect(withSentServer(undefined, first)).toBe(first)
})
