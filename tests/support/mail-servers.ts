import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import type { ImapSettings } from '../../control-plane/messages/inbox/imap-settings.ts'
import { imapInbox } from '../../control-plane/messages/inbox/imap/imap-inbox.ts'
import { freePort } from './free-port.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { waitFor } from './wait-for.ts'

const EXIM = '/usr/sbin/exim4'
const DOVECOT = '/usr/sbin/dovecot'

/** Neither server runs as root: exim delivers no mail to it, and nothing outside the folder can be reached. */
const isRoot = process.getuid?.() === 0
const USER = isRoot ? { name: 'mail', uid: 8, gid: 8 } : { ...userInfo(), name: userInfo().username }
const GROUP = execFileSync('id', ['-gn', USER.name], { encoding: 'utf8' }).trim()
const asUser = (command: string, args: string[]): { command: string; args: string[] } =>
  isRoot
    ? { command: 'setpriv', args: ['--reuid=mail', '--regid=mail', '--clear-groups', command, ...args] }
    : { command, args }

/**
 * When Exim took a mail in, as text that sorts by time: its message id is the time, the process and the fraction of the
 * second. The files say less: each mail is delivered by a process of its own, and those end in any order.
 */
const cameAt = (mail: Buffer): string => {
  const [, second, fraction] = /^\s+id (\w{6})-\w+-(\w+)/m.exec(mail.toString('latin1')) ?? []
  if (second === undefined || fraction === undefined) throw new Error('A mail without an id of Exim.')
  return second + fraction
}

const folderOf = (path: string): string => {
  mkdirSync(path, { recursive: true })
  if (isRoot) chownSync(path, USER.uid, USER.gid)
  return path
}

/** Mails to the desk land in its mailbox with every suffix, those to people in a folder of all; who is gone is refused at RCPT. */
const eximConfig = (folder: string): string => `
keep_environment =
spool_directory = ${folder}/spool
log_file_path = ${folder}/log/%slog
primary_hostname = mx.host.example
deliver_drop_privilege = true
disable_ipv6 = true
rfc1413_hosts =
local_interfaces = 127.0.0.1
pid_file_path = ${folder}/exim.pid
exim_user = ${USER.name}
exim_group = ${GROUP}
tls_advertise_hosts =
dkim_verify_signers =
message_size_limit = 60M
acl_smtp_rcpt = rcpt
acl_smtp_data = accept
begin acl
rcpt:
  deny local_parts = ^gone
       message = 5.1.1 No such user here
  deny local_parts = ^spam
       message = 5.7.1 The sender is on our list
  accept
begin routers
desk:
  driver = accept
  domains = host.example
  local_parts = tickets
  local_part_suffix = +*
  local_part_suffix_optional
  transport = desk
people:
  driver = accept
  transport = people
begin transports
desk:
  driver = appendfile
  directory = ${folder}/mail/tickets/Maildir
  maildir_format
  envelope_to_add
  return_path_add
people:
  driver = appendfile
  directory = ${folder}/mail/people
  maildir_format
  envelope_to_add
  return_path_add
begin retry
* * F,1h,1m
`

const dovecotConfig = (folder: string, port: number): string => `
base_dir = ${folder}/dovecot/run
state_dir = ${folder}/dovecot
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_login_user = ${USER.name}
default_internal_user = ${USER.name}
default_internal_group = ${GROUP}
mail_location = maildir:${folder}/mail/%u/Maildir
first_valid_uid = 1
mail_uid = ${USER.uid}
mail_gid = ${USER.gid}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=the-password-of-the-mailbox
}
userdb {
  driver = static
  args = uid=${USER.uid} gid=${USER.gid} home=${folder}/mail/%u
}
`

/** The exim and the dovecot of Debian, with a mailbox for `tickets@host.example` and one for everybody else. */
export class MailServers {
  readonly folder = folderOf(mkdtempSync(join(tmpdir(), 'bakter-mails-')))
  readonly imap: ImapSettings
  readonly smtpPort: number
  #exim: OwnProcess | undefined
  #dovecot: OwnProcess | undefined

  private constructor(ports: { imap: number; smtp: number }) {
    const account = { username: 'tickets', password: 'the-password-of-the-mailbox', folder: 'INBOX' }
    this.imap = { host: '127.0.0.1', port: ports.imap, isSecure: false, ...account }
    this.smtpPort = ports.smtp
    for (const name of ['spool', 'log', 'mail', 'mail/tickets', 'mail/people', 'dovecot'])
      folderOf(join(this.folder, name))
    writeFileSync(join(this.folder, 'exim.conf'), eximConfig(this.folder))
    writeFileSync(join(this.folder, 'dovecot.conf'), dovecotConfig(this.folder, ports.imap))
  }

  static async start(): Promise<MailServers> {
    const servers = new MailServers({ imap: await freePort(), smtp: await freePort() })
    await servers.startMailbox()
    await servers.startSmtp()
    return servers
  }

  async startMailbox(): Promise<void> {
    const dovecot = startOwnProcess(asUser(DOVECOT, ['-F', '-c', join(this.folder, 'dovecot.conf')]))
    this.#dovecot = dovecot
    await waitFor('dovecot', async () => {
      dovecot.mustRun()
      await this.inbox().visit(() => Promise.resolve('keep'))
      return true
    })
  }

  async stopMailbox(): Promise<void> {
    await this.#dovecot?.stop()
  }

  async startSmtp(): Promise<void> {
    const args = ['-C', join(this.folder, 'exim.conf'), '-bdf', '-oX', String(this.smtpPort)]
    const exim = startOwnProcess(asUser(EXIM, args))
    this.#exim = exim
    await waitFor('exim', async () => {
      exim.mustRun()
      return answers(this.smtpPort)
    })
  }

  async stopSmtp(): Promise<void> {
    await this.#exim?.stop()
  }

  inbox() {
    return imapInbox(this.imap, { maxBytes: 25 * 1_024 * 1_024 })
  }

  /** The mails that wait in the mailbox of the desk, oldest first. */
  async uids(): Promise<number[]> {
    const found: number[] = []
    await this.inbox().visit(({ uid }) => {
      found.push(uid)
      return Promise.resolve('keep')
    })
    return found
  }

  /** How many mails wait there. */
  async waiting(): Promise<number> {
    return (await this.uids()).length
  }

  /** Every mail that somebody got, in the order in which they came. */
  mailsOf(address: string): Buffer[] {
    const folder = join(this.folder, 'mail/people/new')
    const names = readdirOrNone(folder).map((name) => join(folder, name))
    return names
      .map((path) => readFileSync(path))
      .toSorted((one, other) => (cameAt(one) < cameAt(other) ? -1 : 1))
      .filter((mail) => mail.includes(`Envelope-to: ${address}\n`))
  }

  async stop(): Promise<void> {
    await this.stopSmtp()
    await this.stopMailbox()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => done(true)).once('error', () => done(false))
    socket.once('data', () => socket.end('QUIT\r\n'))
  })

const readdirOrNone = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
