// System programs that suites need, and their Debian packages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Program -> Debian package. */
export const DEBIAN_PACKAGES = {
  'redis-server': 'redis-server',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  ssh: 'openssh-client',
  sftp: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  'sftp-server': 'openssh-sftp-server',
  lftp: 'lftp',
  bzip2: 'bzip2',
  unzip: 'unzip',
  xz: 'xz-utils',
  zstd: 'zstd',
  caddy: 'caddy',
  dockerd: 'docker.io',
  iptables: 'iptables',
  ip: 'iproute2',
  busybox: 'busybox-static',
  dovecot: 'dovecot-imapd',
  exim4: 'exim4-daemon-light',
  clamd: 'clamav-daemon',
  pgbench: 'postgresql-contrib',
}

const isInstalled = (program) =>
  `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin${delimiter}/usr/lib/openssh`
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)))

/** The programs of the list that this machine lacks. */
export const missingTools = (programs) => programs.filter((program) => !isInstalled(program))

/** Installs missing programs on Debian as root. Returns a sentence if it could not. */
export function installTools(programs) {
  const missing = missingTools(programs)
  if (missing.length === 0) return undefined
  if (process.getuid() !== 0) return `${missing.join(', ')} missing, and only root can install them`
  if (!existsSync('/usr/bin/apt-get')) return `${missing.join(', ')} missing, and this is no Debian`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, encoding: 'utf8', timeout: 600_000 }
  console.log(`Installing ${missing.join(', ')} …`)
  spawnSync('apt-get', ['update', '-q'], options)
  const packages = missing.map((program) => DEBIAN_PACKAGES[program])
  const done = spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], options)
  return done.status === 0
    ? undefined
    : `apt-get install ${packages.join(' ')} failed: ${done.stderr?.trim().split('\n').at(-1)}`
}
