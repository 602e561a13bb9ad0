/** Keys of the message catalog under `activities.types`. */
const WORDS = {
  login: 'login',
  'login.code': 'loginCode',
  logout: 'logout',
  'logout.everywhere': 'logoutEverywhere',
  'session.ended': 'sessionEnded',
  'session.copied': 'sessionCopied',
  'security.password': 'password',
  'security.app-on': 'appOn',
  'security.app-off': 'appOff',
  'security.recovery-codes': 'recoveryCodes',
  'security.passkey-added': 'passkeyAdded',
  'security.passkey-removed': 'passkeyRemoved',
  'account.data': 'accountData',
  'account.picture': 'accountPicture',
  'account.picture-removed': 'accountPictureRemoved',
  'security.email': 'email',
  'security.email-restored': 'emailRestored',
  'discord.linked': 'discordLinked',
  'discord.unlinked': 'discordUnlinked',
  'account.exported': 'accountExported',
  'account.leaving': 'accountLeaving',
  'account.stays': 'accountStays',
  'order.placed': 'orderPlaced',
  'order.completed': 'orderCompleted',
  'order.failed': 'orderFailed',
  'topup.started': 'topupStarted',
  'topup.settled': 'topupSettled',
  'topup.failed': 'topupFailed',
  'server.start': 'start',
  'server.stop': 'stop',
  'server.restart': 'restart',
  'server.kill': 'kill',
  'server:power.start': 'start',
  'server:power.stop': 'stop',
  'server:power.restart': 'restart',
  'server:power.kill': 'kill',
  'server:console.command': 'consoleCommand',
  'server:start-slow': 'startSlow',
  'server:start-failed': 'startFailed',
  'server:crash-loop': 'crashLoop',
  'server:moved-by-force': 'moved',
} as const

export type ActivityWord = (typeof WORDS)[keyof typeof WORDS]

const isKnown = (type: string): type is keyof typeof WORDS => Object.hasOwn(WORDS, type)

/** Where the words of a type stand; a type that a newer node sends has none, and is shown as it is. */
export const activityWord = (type: string): ActivityWord | undefined => (isKnown(type) ? WORDS[type] : undefined)
