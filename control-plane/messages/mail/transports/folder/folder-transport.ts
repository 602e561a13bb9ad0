import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { MailFailure, type MailTransport } from '../../mail-transport.ts'
import { messageOptions } from '../../message-options.ts'

/** Writes each mail into a folder, as `<id>.eml`: the demo's mail server. A repetition writes the same file again. */
export function folderTransport(folder: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    name: 'folder',
    send: async (mail) => {
      const { message } = await composer.sendMail(messageOptions(mail))
      const path = join(folder, `${mail.id}.eml`)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        // Readers of the folder must find complete mails only.
        await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
        await rename(`${path}.part`, path)
      } catch (error) {
        throw new MailFailure('temporary', 'FOLDER_NOT_WRITABLE', { cause: error })
      }
    },
  }
}
