import { describe, expect, it } from 'vitest'
import { AGENT_HTTP, type AgentCall } from '#contracts/panel/agent-http.ts'
import { AGENT_PATHS, agentPath, BELOW_FILES } from '#contracts/panel/agent-paths.ts'
import { NODE_FILE_CALLS, type NodeFileCall } from '#contracts/panel/node-files.ts'
import { routeOf } from '../../../../agents/http/agent-router.ts'
import { permissionsFor } from '../../../../agents/http/file-requests.ts'

const ID = '0192aaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa'
const UPLOAD = '0192bbbb-bbbb-7bbb-8bbb-bbbbbbbbbbbb'
const CALLS = Object.keys(NODE_FILE_CALLS) as NodeFileCall[]
const rowAt = (method: AgentCall['method'], path: string): AgentCall => {
  const row = AGENT_HTTP.find((each) => each.method === method && each.path === path)
  if (row === undefined) throw new Error(`The table has no ${method} ${path}.`)
  return row
}

describe('the table of calls of a node', () => {
  it('finds each of its rows, with the server and the upload of the address', () => {
    for (const call of AGENT_HTTP) {
      const address = call.path.replace('{id}', ID).replace('{upload}', UPLOAD)
      const routed = routeOf(`${address}?path=a%2Fb%20%C5%91`)?.routed(call.method)
      expect([call.method, call.path, routed?.call]).toEqual([call.method, call.path, call])
      expect([routed?.serverId, routed?.uploadId, routed?.query.get('path')]).toEqual([
        call.path.includes('{id}') ? ID : '',
        call.path.includes('{upload}') ? UPLOAD : '',
        'a/b ő',
      ])
    }
  })

  it('has one row for each method and path, and a row for each call about files', () => {
    const names = AGENT_HTTP.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
    expect(AGENT_HTTP.flatMap(({ call }) => call ?? [])).toEqual(CALLS)
  })

  it('has the paths that the site gives and that its pages add', () => {
    for (const which of ['socket', 'archive', 'ports', 'download'] as const) {
      expect(routeOf(agentPath(which, ID))?.calls.map(({ serves }) => serves)).toContain(which)
    }
    const files = agentPath('files', ID)
    for (const call of CALLS) expect(routeOf(`${files}${BELOW_FILES.call(call)}`)?.routed('POST')?.call.call).toBe(call)
    expect(routeOf(`${files}${BELOW_FILES.uploads}`)?.routed('POST')?.call.serves).toBe('uploads')
    const version = routeOf(`${files}${BELOW_FILES.version('a/ő', 'v&1')}`)?.routed('GET')
    expect([version?.call.serves, version?.query.get('path'), version?.query.get('version')]).toEqual([
      'content',
      'a/ő',
      'v&1',
    ])
  })

  it('knows no other address, also by a name that every object has, and no other method', () => {
    const names = ['lists', 'constructor', 'to-string', '{call}', `list/${UPLOAD}`, `content/${UPLOAD}`, 'list/', '']
    for (const url of [
      undefined,
      '',
      '/',
      '/ping/',
      ...AGENT_HTTP.filter(({ path }) => path.includes('{')).map(({ path }) => path),
      `/servers/${ID}`,
      `/servers/${ID}/constructor`,
      `//servers/${ID}/ws`,
      '/servers/x/files/list',
      ...names.map((name) => `/servers/${ID}/files/${name}`),
      `/servers/${ID}/files/uploads/x`,
      `/servers/${ID}/files/uploads/{upload}`,
    ]) {
      expect([url, routeOf(url)]).toEqual([url, undefined])
    }
    expect(routeOf(`/servers/${ID}/files/list`)?.routed('GET')).toBeUndefined()
  })
})

describe('a change', () => {
  it('is every call but those that only look, or that end what somebody began', () => {
    const changes = AGENT_HTTP.filter(({ effect }) => effect === 'change')
    expect(changes.map(({ call, method, serves }) => call ?? `${method} ${serves}`)).toEqual([
      'PUT content',
      'POST uploads',
      'PATCH upload',
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
    expect(changes.every(({ permissions }) => permissions.always !== 'file.list')).toBe(true)
  })
})

it('writing content needs the permission to create, to change, or both', () => {
  const put = (headers: Record<string, string>) => permissionsFor(rowAt('PUT', AGENT_PATHS.content), { headers })
  expect(put({ 'if-none-match': '*' })).toEqual(['file.create'])
  expect(put({ 'if-match': '"x"' })).toEqual(['file.update'])
  expect(put({})).toEqual(['file.create', 'file.update'])
  expect(put({ 'if-none-match': '"x"' })).toEqual(['file.create', 'file.update'])
  expect(permissionsFor(rowAt('GET', AGENT_PATHS.content), { headers: {} })).toEqual(['file.read'])
})
