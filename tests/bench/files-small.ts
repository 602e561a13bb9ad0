import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { SERVER_ID } from '../factories/server-spec.ts'
import type { SftpRig } from '../support/sftp-rig.ts'
import { done, inRoot, loopFigure, plainSftp, remove, seconds, withLoop } from './files-measure.ts'
import type { Figure } from './report.ts'

/** `BAKTER_BENCH_FILES` makes a run of fewer files, to see that it works. */
const COUNT = Number(process.env['BAKTER_BENCH_FILES'] ?? 10_000)
const FILES = `${COUNT.toLocaleString('en')} files`

/** Uploads a folder as the panel does: three files at once, each by a request of its own that replaces nothing. */
const PUT_FOLDER = `
  const [port, server, token, folder, into] = process.argv.slice(1)
  const { Agent, request } = require('node:http')
  const fs = require('node:fs')
  const agent = new Agent({ keepAlive: true, maxSockets: 3 })
  const names = fs.readdirSync(folder)
  const put = (name) => new Promise((resolve, reject) => {
    const body = fs.readFileSync(folder + '/' + name)
    const path = '/servers/' + server + '/files/content?path=' + encodeURIComponent(into + '/' + name)
    const headers = { authorization: 'Bearer ' + token, 'if-none-match': '*', 'content-length': body.length }
    const asked = request({ host: '127.0.0.1', port, method: 'PUT', path, headers, agent }, (response) => {
      response.resume()
      if (response.statusCode === 200) response.once('end', resolve)
      else reject(new Error(name + ' answered ' + response.statusCode))
    })
    asked.once('error', reject)
    asked.end(body)
  })
  const lane = async () => { for (let name = names.pop(); name !== undefined; name = names.pop()) await put(name) }
  Promise.all([lane(), lane(), lane()]).then(() => agent.destroy(), (error) => { console.error(error); process.exit(1) })
`

/** The files by HTTP, in both directions: up one by one, down as the stream of their folder. */
const byHttp = async ({ files, folder }: SftpRig, local: string): Promise<Figure[]> => {
  files.usage = { bytes: 0, ownBytes: 0 }
  await files.call('create-folder', { path: 'http' })
  const token = await files.token()
  const run = ['-e', PUT_FOLDER, String(files.port), SERVER_ID, token, local, 'http']
  const up = await withLoop(() => promisify(execFile)(process.execPath, run))
  const arrived = fs.readdirSync(inRoot(files, 'http')).length
  if (arrived !== COUNT) throw new Error(`${arrived} of ${COUNT} files have arrived.`)
  const link = `http://127.0.0.1:${files.port}/servers/${SERVER_ID}/download?token=${await files.downloadToken('http')}`
  const archive = path.join(folder, 'http.tar.gz')
  const down = await withLoop(() => promisify(execFile)('curl', ['-sS', '--fail', '-o', archive, link]))
  const cp = await seconds(() => execFileSync('cp', ['-r', local, path.join(folder, 'cp-http')]))
  const tar = await seconds(() => execFileSync('tar', ['-czf', path.join(folder, 'plain.tgz'), '-C', folder, 'many']))
  remove(inRoot(files, 'http'))
  return [
    { what: `${FILES} up by HTTP`, value: up.took, unit: 's', against: { what: '`cp -r`', value: cp } },
    {
      what: `${FILES} down by HTTP as a folder`,
      value: down.took,
      unit: 's',
      against: { what: '`tar -z`', value: tar },
    },
    loopFigure(`${FILES} up by HTTP`, up.loopMs),
    loopFigure(`${FILES} down by HTTP`, down.loopMs),
  ]
}

const bySftp = async (rig: SftpRig, local: string): Promise<Figure[]> => {
  const { folder } = rig
  const against = (value: number) => ({ what: "OpenSSH's own sftp-server", value })
  const up = await withLoop(() => rig.sftp([`put -R ${local} many`]))
  const plainUp = await seconds(() => plainSftp(folder, [`put -R ${local} ${path.join(folder, 'plain')}`]))
  const down = await withLoop(() => rig.sftp([`get -R many ${path.join(folder, 'down')}`]))
  const plainDown = await seconds(() =>
    plainSftp(folder, [`get -R ${path.join(folder, 'plain')} ${path.join(folder, 'plain-down')}`]),
  )
  return [
    { what: `${FILES} up by SFTP`, value: up.took, unit: 's', against: against(plainUp) },
    { what: `${FILES} down by SFTP`, value: down.took, unit: 's', against: against(plainDown) },
    loopFigure(`${FILES} up by SFTP`, up.loopMs),
    loopFigure(`${FILES} down by SFTP`, down.loopMs),
  ]
}

/** The node's own work with the files that have arrived as `many`. */
const onNode = async ({ files, folder }: SftpRig, local: string): Promise<Figure[]> => {
  const cp = await seconds(() => execFileSync('cp', ['-r', local, path.join(folder, 'cp')]))
  const copy = await withLoop(() => done(files, 'copy', { moves: [{ from: 'many', to: 'copy' }] }))
  const gz = await withLoop(() =>
    done(files, 'compress', { folder: '', names: ['many'], to: 'many.tar.gz', format: 'tar.gz' }),
  )
  const tar = await seconds(() => execFileSync('tar', ['-czf', path.join(folder, 'many.tgz'), '-C', folder, 'many']))
  const zip = await withLoop(() =>
    done(files, 'compress', { folder: '', names: ['many'], to: 'many.zip', format: 'zip' }),
  )
  const ungz = await withLoop(() => done(files, 'extract', { path: 'many.tar.gz', format: 'tar.gz', to: 'out' }))
  const untar = await seconds(() => {
    fs.mkdirSync(path.join(folder, 'untar'))
    execFileSync('tar', ['-xzf', path.join(folder, 'many.tgz'), '-C', path.join(folder, 'untar')])
  })
  const wanted = `text ${COUNT - 1} of`
  const search = await withLoop(() => files.call('search', { path: 'many', content: wanted }))
  const grep = await seconds(() => execFileSync('grep', ['-r', wanted, local]))
  for (const name of ['many', 'copy', 'many.tar.gz', 'many.zip', 'out']) remove(inRoot(files, name))
  return [
    { what: `${FILES} copied`, value: copy.took, unit: 's', against: { what: '`cp -r`', value: cp } },
    { what: `${FILES} into tar.gz`, value: gz.took, unit: 's', against: { what: '`tar -z`', value: tar } },
    { what: `${FILES} into zip`, value: zip.took, unit: 's', against: { what: '`tar -z`', value: tar } },
    { what: `${FILES} out of tar.gz`, value: ungz.took, unit: 's', against: { what: '`tar -xz`', value: untar } },
    { what: `search in ${FILES}`, value: search.took, unit: 's', against: { what: '`grep -r`', value: grep } },
    loopFigure(`${FILES} copied`, copy.loopMs),
    loopFigure(`${FILES} into zip`, zip.loopMs),
    loopFigure(`search in ${FILES}`, search.loopMs),
  ]
}

/** Many small files on every way, as plugins and data packs have them. */
export const manyFiles = async (rig: SftpRig): Promise<Figure[]> => {
  const local = path.join(rig.folder, 'many')
  fs.mkdirSync(local)
  for (let index = 0; index < COUNT; index += 1) {
    fs.writeFileSync(path.join(local, `f${index}.txt`), `text ${index} of the pack\n`)
  }
  return [...(await byHttp(rig, local)), ...(await bySftp(rig, local)), ...(await onNode(rig, local))]
}
