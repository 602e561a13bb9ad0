import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SERVER_ID } from '../factories/server-spec.ts'
import type { FilesRig } from '../support/files-rig.ts'
import { SftpRig } from '../support/sftp-rig.ts'
import { consoleBesideFiles } from './files-console.ts'
import { done, inRoot, loopFigure, plainSftp, remove, seconds, withLoop } from './files-measure.ts'
import { manyFiles } from './files-small.ts'
import type { Figure, Section } from './report.ts'

const MIB = 1024 * 1024
const LARGE_BYTES = 1024 * MIB
const LISTED = 100_000

/** A request with a body from a file, or a response into one. */
const transfer = async (files: FilesRig, method: 'GET' | 'PUT', { name, local }: { name: string; local: string }) => {
  const token = await files.token()
  await new Promise<void>((resolve, reject) => {
    const length = method === 'PUT' ? { 'content-length': String(fs.statSync(local).size) } : {}
    const request = httpRequest({
      host: '127.0.0.1',
      port: files.port,
      method,
      path: `/servers/${SERVER_ID}/files/content?path=${encodeURIComponent(name)}`,
      headers: { authorization: `Bearer ${token}`, ...length },
    })
    request.once('error', reject)
    request.once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${method} answered ${response.statusCode}`))
      if (method === 'PUT') return response.resume().once('end', resolve)
      return pipeline(response, fs.createWriteStream(local)).then(resolve, reject)
    })
    if (method === 'PUT') pipeline(fs.createReadStream(local), request).catch(reject)
    else request.end()
  })
}

const large = async (rig: SftpRig): Promise<Figure[]> => {
  const { files, folder } = rig
  const local = path.join(folder, 'large.bin')
  const chunk = randomBytes(16 * MIB)
  for (let bytes = 0; bytes < LARGE_BYTES; bytes += chunk.length) fs.appendFileSync(local, chunk)
  const copy = path.join(folder, 'copy.bin')
  const cp = await seconds(() => execFileSync('cp', [local, copy]))
  files.usage = { bytes: 0, ownBytes: 0 }
  const up = await withLoop(() => transfer(files, 'PUT', { name: 'large.bin', local }))
  const down = await withLoop(() => transfer(files, 'GET', { name: 'large.bin', local: path.join(folder, 'back.bin') }))
  files.usage = { bytes: 0, ownBytes: 0 }
  const sftpUp = await withLoop(() => rig.sftp([`put ${local} by-sftp.bin`]))
  const sftpDown = await withLoop(() => rig.sftp([`get by-sftp.bin ${path.join(folder, 'back.bin')}`]))
  const plainUp = await seconds(() => plainSftp(folder, [`put ${local} ${path.join(folder, 'plain.bin')}`]))
  const plainDown = await seconds(() => plainSftp(folder, [`get ${path.join(folder, 'plain.bin')} ${copy}`]))
  const zst = await withLoop(() =>
    done(files, 'compress', { folder: '', names: ['large.bin'], to: 'l.tar.zst', format: 'tar.zst' }),
  )
  const tar = await seconds(() => execFileSync('tar', ['--zstd', '-cf', copy, '-C', folder, 'large.bin']))
  const unzst = await withLoop(() => done(files, 'extract', { path: 'l.tar.zst', format: 'tar.zst', to: 'out' }))
  const untar = await seconds(() => execFileSync('tar', ['--zstd', '-xf', copy, '-C', path.dirname(copy)]))
  for (const name of ['large.bin', 'by-sftp.bin', 'l.tar.zst', 'out']) remove(inRoot(files, name))
  for (const target of [copy, path.join(folder, 'back.bin'), path.join(folder, 'plain.bin')]) remove(target)
  const line = (what: string, took: number, against: Figure['against']): Figure =>
    against === undefined ? { what, value: took, unit: 's' } : { what, value: took, unit: 's', against }
  return [
    line('1 GiB up by HTTP', up.took, { what: '`cp`', value: cp }),
    line('1 GiB down by HTTP', down.took, { what: '`cp`', value: cp }),
    line('1 GiB up by SFTP', sftpUp.took, { what: "OpenSSH's own sftp-server", value: plainUp }),
    line('1 GiB down by SFTP', sftpDown.took, { what: "OpenSSH's own sftp-server", value: plainDown }),
    line('1 GiB into tar.zst', zst.took, { what: '`tar --zstd`', value: tar }),
    line('1 GiB out of tar.zst', unzst.took, { what: '`tar --zstd`', value: untar }),
    ...Object.entries({
      'HTTP up': up,
      'HTTP down': down,
      'SFTP up': sftpUp,
      'SFTP down': sftpDown,
      compression: zst,
      extraction: unzst,
    }).map(([what, { loopMs }]) => loopFigure(what, loopMs)),
  ]
}

const listing = async ({ files }: SftpRig): Promise<Figure[]> => {
  fs.mkdirSync(inRoot(files, 'huge'))
  for (let index = 0; index < LISTED; index += 1) fs.writeFileSync(inRoot(files, `huge/f${index}`), '')
  files.own()
  const first = await seconds(() => files.call('list', { path: 'huge' }))
  const next = await seconds(() => files.call('list', { path: 'huge', from: 50_000 }))
  const ls = await seconds(() => execFileSync('ls', ['-l', inRoot(files, 'huge')], { stdio: 'ignore' }))
  remove(inRoot(files, 'huge'))
  return [
    { what: 'first page of 100,000 entries', value: first, unit: 's', against: { what: '`ls -l`', value: ls } },
    { what: 'a later page of them', value: next, unit: 's', against: { what: '`ls -l`', value: ls } },
  ]
}

/** The files of a server, beside the plain tool on the same disk in the same run. */
export const benchFiles = async (): Promise<Section> => {
  // Before the large server is there: its 100,000 entries are walked time and again, beside the lines.
  const lines = await consoleBesideFiles()
  const rig = await SftpRig.open()
  try {
    const figures = [...(await listing(rig)), ...(await manyFiles(rig)), ...(await large(rig)), ...lines]
    const method =
      'One server on a real worker; the doors run in the measuring program, clients and tools beside it on the same two cores. The plain sftp-server is a child of its client, without encryption. Console lines: an agent as a process of its own, 100 lines/s for 5 s from the print to the socket of its reader.'
    return { title: 'Files of servers', method, figures }
  } finally {
    await rig.close()
  }
}
