import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENT_HTTP } from '#contracts/panel/agent-http.ts'
import {
  CONTENT_PERMISSIONS,
  DOWNLOAD_PERMISSION,
  NODE_FILE_CALLS,
  type NodeFileCall,
} from '#contracts/panel/node-files.ts'
import { PORTS_PERMISSION } from '#contracts/panel/node-ports.ts'
import { PERMISSION_OF_TOKEN, PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { SERVER_ID } from '../../factories/server-spec.ts'
import { codeOf, FilesRig, type Asked } from '../../support/files-rig.ts'

let rig: FilesRig
beforeAll(async () => {
  rig = await FilesRig.open()
  rig.put('a.txt')
})
afterAll(() => rig.close())

const FILES = `/servers/${SERVER_ID}/files`
const UPLOAD = '01990000-0000-7000-8000-0000000000ff'
const tus = { 'tus-resumable': '1.0.0' }
const metadata = (how: string) =>
  `path ${Buffer.from('b.txt').toString('base64')},replaces ${Buffer.from(how).toString('base64')}`

type Row = {
  readonly name: string
  readonly target: string
  readonly asked: Asked
  readonly needs: readonly Permission[]
}

const methodsOf = (kind: string): string[] =>
  AGENT_HTTP.filter(({ serves }) => serves === kind)
    .map(({ method }) => method)
    .toSorted()

const CALLS: readonly Row[] = (Object.keys(NODE_FILE_CALLS) as NodeFileCall[]).map((call) => ({
  name: `call ${call}`,
  target: `${FILES}/${call}`,
  // Past the permission, the values speak; these change nothing.
  asked: { method: 'POST', body: '{"path":"nowhere","id":"x"}' },
  needs: [NODE_FILE_CALLS[call].permission],
}))

const content = `${FILES}/content?path=nowhere/b.txt`
/** By kind of request: each kind that the node knows, in each method, and in each form that asks for something else. */
const OTHERS = {
  content: [
    { name: 'GET content', target: content, asked: {}, needs: [CONTENT_PERMISSIONS.read] },
    {
      name: 'PUT content, new',
      target: content,
      asked: { method: 'PUT', body: '', headers: { 'if-none-match': '*' } },
      needs: [CONTENT_PERMISSIONS.create],
    },
    {
      name: 'PUT content, changed',
      target: content,
      asked: { method: 'PUT', body: '', headers: { 'if-match': '"x"' } },
      needs: [CONTENT_PERMISSIONS.replace],
    },
    {
      name: 'PUT content, whatever is there',
      target: content,
      asked: { method: 'PUT', body: '' },
      needs: [CONTENT_PERMISSIONS.create, CONTENT_PERMISSIONS.replace],
    },
  ],
  uploads: [
    {
      name: 'POST uploads, new',
      target: `${FILES}/uploads`,
      asked: { method: 'POST', headers: { ...tus, 'upload-metadata': metadata('new') } },
      needs: [CONTENT_PERMISSIONS.create],
    },
    {
      name: 'POST uploads, in place of another',
      target: `${FILES}/uploads`,
      asked: { method: 'POST', headers: { ...tus, 'upload-metadata': metadata('any') } },
      needs: [CONTENT_PERMISSIONS.create, CONTENT_PERMISSIONS.replace],
    },
  ],
  upload: methodsOf('upload').map((method) => ({
    name: `${method} upload`,
    target: `${FILES}/uploads/${UPLOAD}`,
    asked: { method, headers: tus },
    needs: [CONTENT_PERMISSIONS.create],
  })),
} satisfies Record<string, readonly Row[]>

/** All that somebody does who looks at a server as a collaborator. */
const LOOKS: readonly string[] = [
  ...['list', 'search', 'folder-size', 'history', 'usage', 'running-since', 'sftp', 'bin', 'jobs', 'open-uploads'].map(
    (call) => `call ${call}`,
  ),
  'GET content',
]

const ROWS: readonly Row[] = [...CALLS, ...Object.values(OTHERS).flat()]
const missingOf = (answer: { status: number; json: unknown }): string | undefined =>
  answer.status === 403
    ? ((answer.json as { error?: { permission?: string } } | undefined)?.error?.permission ?? 'unnamed')
    : undefined

describe('security case 37 at a node: each call about files and each permission', () => {
  it('every kind of request that the node knows has a row', () => {
    // A download has its own token, which names the one thing that it opens.
    const kinds = AGENT_HTTP.filter(({ token }) => token?.purpose === 'files').map(({ serves }) => serves)
    expect([...Object.keys(OTHERS), 'call'].toSorted()).toEqual([...new Set(kinds)].toSorted())
    const methods = Object.entries(OTHERS).map(([kind, rows]) => [
      kind,
      [...new Set(rows.map(({ asked }: Row) => asked.method ?? 'GET'))].toSorted(),
    ])
    expect(methods).toEqual(Object.keys(OTHERS).map((kind) => [kind, methodsOf(kind)]))
  })

  it.each(ROWS)('$name needs $needs', async ({ target, asked, needs }) => {
    const isHead = asked.method === 'HEAD'
    for (const permission of PERMISSIONS) {
      const alone = await rig.ask(target, { ...asked, token: await rig.token({ permissions: [permission] }) })
      const missing = needs.find((need) => need !== permission)
      expect([permission, isHead ? alone.status === 403 : missingOf(alone)]).toEqual([
        permission,
        isHead ? missing !== undefined : missing,
      ])
      const others = PERMISSIONS.filter((other) => other !== permission)
      const without = await rig.ask(target, { ...asked, token: await rig.token({ permissions: others }) })
      const isNeeded = needs.includes(permission)
      expect([permission, isHead ? without.status === 403 : missingOf(without)]).toEqual([
        permission,
        isHead ? isNeeded : isNeeded ? permission : undefined,
      ])
    }
  })

  // Even a token that says too much changes nothing, ends nothing of anybody and sends nothing to another server.
  it.each(ROWS)('$name with a token that only looks', async ({ name, target, asked }) => {
    const answer = await rig.ask(target, {
      ...asked,
      token: await rig.token({ permissions: [...PERMISSIONS], seesAs: true }),
    })
    const isRefused = answer.status === 403 && (asked.method === 'HEAD' || codeOf(answer) === 'SEEING_AS')
    expect([name, isRefused]).toEqual([name, !LOOKS.includes(name)])
  })

  it('a token of downloads is signed with the permission to read, and opens nothing else', async () => {
    expect(PERMISSION_OF_TOKEN).toMatchObject({ download: DOWNLOAD_PERMISSION, ports: PORTS_PERMISSION })
    const token = await rig.downloadToken('a.txt')
    for (const { target, asked } of ROWS) {
      const answer = await rig.ask(target, { ...asked, token })
      expect([target, answer.status, asked.method === 'HEAD' ? 'INVALID_TOKEN' : codeOf(answer)]).toEqual([
        target,
        401,
        'INVALID_TOKEN',
      ])
    }
  })

  it.each(PERMISSIONS)('the look at the ports with %s alone', async (permission) => {
    const token = await rig.token({ purpose: 'ports', permissions: [permission] }, { typ: 'ports+jwt' })
    const answer = await rig.ask(`/servers/${SERVER_ID}/ports`, { token })
    expect(missingOf(answer)).toBe(permission === PORTS_PERMISSION ? undefined : PORTS_PERMISSION)
  })
})
