import { describe, expect, it } from 'vitest'
import { NODE_FILE_CALLS, type NodeFileCall } from '#contracts/panel/node-files.ts'
import { fileRequestOf, isChange, permissionsFor } from '../../../../agents/http/file-requests.ts'

const ID = '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'
const CALLS = Object.keys(NODE_FILE_CALLS) as NodeFileCall[]

describe('an address about files', () => {
  it('is one of the calls, the content of a path, or a download', () => {
    expect(fileRequestOf(`/servers/${ID}/files/list`)).toEqual({ kind: 'call', serverId: ID, call: 'list' })
    expect(fileRequestOf(`/servers/${ID}/files/content?path=a%2Fb%20%C5%91`)).toEqual({
      kind: 'content',
      serverId: ID,
      path: 'a/b ő',
      version: null,
    })
    expect(fileRequestOf(`/servers/${ID}/download?token=t`)).toEqual({ kind: 'download', serverId: ID, token: 't' })
  })

  it('of no call is known as such, also by a name that every object has', () => {
    for (const name of ['lists', 'constructor', 'to-string', 'has-own-property']) {
      expect(fileRequestOf(`/servers/${ID}/files/${name}`)).toEqual({ kind: 'unknown', serverId: ID })
    }
  })

  it('is not one of another door', () => {
    for (const url of [
      undefined,
      '/',
      `/servers/${ID}/ws`,
      `/servers/${ID}/archive`,
      '/servers/x/files/list',
      `/servers/${ID}/files`,
      `/servers/${ID}/files/list/`,
    ]) {
      expect([url, fileRequestOf(url)]).toEqual([url, undefined])
    }
  })
})

describe('a change', () => {
  it('is every call but those that only look', () => {
    const changes = CALLS.filter((call) => isChange({ kind: 'call', serverId: ID, call }, 'POST'))
    expect(changes).toEqual([
      'create-file',
      'create-folder',
      'copy',
      'move',
      'change-mode',
      'delete',
      'restore',
      'compress',
      'extract',
      'pull',
      'empty-bin',
    ])
    expect(changes.every((call) => NODE_FILE_CALLS[call].permission !== 'file.list')).toBe(true)
  })

  it('of content is a PUT, and no download is one', () => {
    const content = { kind: 'content', serverId: ID, path: 'a', version: null } as const
    expect([isChange(content, 'GET'), isChange(content, 'PUT')]).toEqual([false, true])
    expect(isChange({ kind: 'download', serverId: ID, token: '' }, 'GET')).toBe(false)
  })
})

it('writing content needs the permission to create, to change, or both', () => {
  const content = { kind: 'content', serverId: ID, path: 'a', version: null } as const
  const put = (headers: Record<string, string>) => permissionsFor(content, { method: 'PUT', headers })
  expect(put({ 'if-none-match': '*' })).toEqual(['file.create'])
  expect(put({ 'if-match': '"x"' })).toEqual(['file.update'])
  expect(put({})).toEqual(['file.create', 'file.update'])
  expect(put({ 'if-none-match': '"x"' })).toEqual(['file.create', 'file.update'])
  expect(permissionsFor(content, { method: 'GET', headers: {} })).toEqual(['file.read'])
})
