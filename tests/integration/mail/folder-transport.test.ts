import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderTransport } from '../../../control-plane/messages/mail/transports/folder/folder-transport.ts'
import { mailTransportSuite, outgoingMail } from '../../suites/mail-transport.suite.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

mailTransportSuite('a folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'bakter-mail-'))
  const folder = join(root, 'mail')
  const written: Buffer[] = []
  const transport = folderTransport(folder)
  return {
    transport: {
      name: transport.name,
      send: async (mail) => {
        await transport.send(mail)
        written.push(await readFile(join(folder, `${mail.id}.eml`)))
      },
    },
    sent: () => Promise.resolve(written),
    close: () => rm(root, { recursive: true, force: true }),
  }
})

it('one mail is one file readable only by its owner, however often it is sent', async () => {
  const folder = join(temporaryFolder(), 'mail')
  const mail = outgoingMail()
  await folderTransport(folder).send(mail)
  await folderTransport(folder).send(mail)
  expect(await readdir(folder)).toEqual([`${mail.id}.eml`])
  expect((await stat(join(folder, `${mail.id}.eml`))).mode & 0o777).toBe(0o600)
})

it('a folder that cannot be written is retried later', async () => {
  const file = join(temporaryFolder(), 'taken')
  const transport = folderTransport(join(file, 'below'))
  await import('node:fs/promises').then(({ writeFile }) => writeFile(file, ''))
  await expect(transport.send(outgoingMail())).rejects.toMatchObject({ kind: 'temporary' })
})
