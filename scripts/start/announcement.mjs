import { stepLine } from './progress.mjs'

const LABEL_WIDTH = 12
const ROLES = ['customer', 'support', 'admin']

const row = (label, text) => `    ${label.padEnd(LABEL_WIDTH)}${text}`

/** The lines that end the start: addresses, accounts, and the first thing to do. `seconds` is text. */
export const announcement = ({ demo, settings, seconds }) => [
  stepLine('✓', 'Bakter is ready', `after ${seconds} s`),
  '',
  row('Site', demo.url),
  row('Admin', `${demo.url}/admin`),
  ...(settings.hasMailServer ? [] : [row('Mails', `${demo.url}/dev/mail`)]),
  row('Logs', `${settings.dataDir}/logs`),
  ...ROLES.map((role) => row(role, `${demo[role].username} / ${demo[role].password}`)),
  '',
  `  First: sign in as ${demo.customer.username}, top up with the payment sandbox, and rent Minecraft:`,
  `  ${demo.url}/en/dashboard/services/game`,
  '  Ctrl-C stops everything.',
]
