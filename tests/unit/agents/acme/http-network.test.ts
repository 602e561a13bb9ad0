import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { httpAcmeNetwork } from '../../../../agents/acme/http-network.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { writeCertificate } from '../../../support/test-certificate.ts'

const serve = async (listener: RequestListener, tls?: { cert: string; key: string }): Promise<number> => {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const

describe('the way to an authority', () => {
  it('gives status, headers and body as they are, says who asks, and follows no redirect', async () => {
    const agents: (string | undefined)[] = []
    const port = await serve((request, response) => {
      agents.push(request.headers['user-agent'])
      response.writeHead(302, { location: 'http://192.0.2.1/', 'replay-nonce': 'n1' }).end('elsewhere')
    })
    const answer = await httpAcmeNetwork(undefined)(get(`http://127.0.0.1:${port}/directory`))
    expect(answer).toMatchObject({ status: 302, body: 'elsewhere', headers: { 'replay-nonce': 'n1' } })
    expect(agents).toEqual(['bakter-agent'])
  })

  it('stops at an answer that does not end', async () => {
    const port = await serve((_request, response) => {
      const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more))
      response.writeHead(200)
      more()
    })
    await expect(httpAcmeNetwork(undefined)(get(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'DIRECTORY_UNREACHABLE',
      message: `The authority at 127.0.0.1:${port} cannot be reached: its answer is too long.`,
    })
  })

  it('says in one sentence that nobody answers', async () => {
    const port = await serve((_request, response) => void response.destroy())
    await expect(httpAcmeNetwork(undefined)(get(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: 'DIRECTORY_UNREACHABLE',
      message: `The authority at 127.0.0.1:${port} cannot be reached: socket hang up.`,
    })
  })

  it('trusts an authority of its own only by the bundle', async () => {
    const folder = temporaryFolder()
    const files = writeCertificate(folder, { name: 'authority', days: 5 })
    const pair = { cert: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') }
    const port = await serve((_request, response) => void response.end('here'), pair)
    const bundle = join(folder, 'bundle.pem')
    writeFileSync(bundle, pair.cert)
    const url = `https://127.0.0.1:${port}/directory`
    await expect(httpAcmeNetwork(undefined)(get(url))).rejects.toThrow('self-signed certificate')
    expect(await httpAcmeNetwork(bundle)(get(url))).toMatchObject({ status: 200, body: 'here' })
  })
})
