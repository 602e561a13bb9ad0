import type { SecurityChange } from '#contracts/mail/mail.ts'
import { formatMoney } from '#domain/billing/money-text.ts'
import { knownErrorTitle } from './known-error-titles.ts'
import { momentIn, spanOf } from './moments.ts'
import type { MailWords } from './mail-words.ts'
import { ticketMails } from './ticket-mails.ts'
import { ticketNoticeMails } from './ticket-notice-mails.ts'

const takingBack = (takesFactorsAway: boolean): string[] =>
  takesFactorsAway
    ? [
        'A second factor was added in the last 7 days. The link above removes it, together with any that was added after it.',
      ]
    : []

const span = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
const NOT_YOU = "If this wasn't you, ignore this e-mail: nothing happens without it."
const CHOSEN = 'Choose which of these e-mails you get in your account settings.'

const owing = (debtFt: number): string[] =>
  debtFt === 0
    ? []
    : [
        `You had already spent part of it, so you owe ${formatMoney(debtFt, 'en')}. Your next top-up pays it off first; until then you can't buy anything.`,
      ]

const CHANGES: Readonly<Record<SecurityChange, string>> = {
  password: 'Your password was changed',
  'app-on': 'Codes from an authenticator app were turned on',
  'app-off': 'Codes from an authenticator app were turned off',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'ssh-key-added': 'An SSH key was added',
  'app-password-added': 'An app password was created',
  'recovery-codes': 'New backup codes were created',
}

const WITHDRAWN = { order: 'the order', renewal: 'the renewal', premium: 'the purchase' } as const

const documentName = (isReceipt: true | undefined): string => (isReceipt ? 'Receipt' : 'Invoice')

type Bought = { readonly server: string; readonly product: string }

const PURCHASES = {
  order: ({ product }: Bought) => ({ subject: `Order complete: ${product}`, title: 'Your order is complete' }),
  renewal: ({ server }: Bought) => ({ subject: `${server} is renewed`, title: 'Your server is renewed' }),
  resize: ({ server }: Bought) => ({ subject: `${server} is resized`, title: 'Your server is resized' }),
} as const

export const ENGLISH: MailWords = {
  frame: ({ hostName }) => ({
    orCopy: "If the button doesn't work, copy this address into your browser:",
    foot: `${hostName} sent this e-mail because of an event in your account. Please don't reply: nobody reads this mailbox.`,
  }),
  bodies: {
    verify: ({ username, code, minutes }, { hostName }) => ({
      subject: `${code} is your code for ${hostName}`,
      title: 'Confirm your e-mail address',
      before: [`Hello ${username}, enter this code to confirm that this address is yours:`],
      code,
      after: [`It works once, within ${span(minutes)}. Don't share it with anyone: we never ask for it.`, NOT_YOU],
    }),
    reset: ({ username, path, minutes }, { hostName }) => ({
      subject: `Set a new password for ${hostName}`,
      title: 'Set a new password',
      before: [`Hello ${username}, you requested a new password. Set it here:`],
      action: { label: 'Set a new password', path },
      after: [`The link works once, within ${span(minutes)}. You will then be signed out on all devices.`, NOT_YOU],
    }),
    'email-change': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Confirm your new e-mail address for ${hostName}`,
      title: 'Confirm your new e-mail address',
      before: [`The account ${username} is to use the address ${newEmail} from now on. Confirm that it is yours:`],
      action: { label: 'Confirm this address', path },
      after: [`The link works for ${span(minutes)}. Until you confirm, the old address stays in use.`, NOT_YOU],
    }),
    'email-change-notice': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `The e-mail address of your ${hostName} account is being changed`,
      title: 'Your e-mail address is being changed',
      before: [
        `Someone signed in as ${username} asked to replace this address with ${newEmail}. If it was you, you don't need to do anything.`,
        "If it wasn't you, undo the change. You will then be signed out on all devices, and you should set a new password.",
      ],
      action: { label: 'Undo the change', path },
      after: [`The link works for ${span(minutes)}, even after the new address is confirmed.`],
    }),
    'new-device': ({ username, device, address, place, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `New device on your ${hostName} account`,
      title: 'New sign-in on a new device',
      before: [
        `Someone signed in to the account ${username} on a device that hasn't used it before.`,
        `${[device, address, place].filter(Boolean).join(', ')}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: [
        "If it was you, you don't need to do anything. If not, set a new password immediately: this signs out all devices.",
        ...takingBack(takesFactorsAway),
      ],
    }),
    'register-attempt': ({ username, path }, { hostName }) => ({
      subject: `You already have an account at ${hostName}`,
      title: 'Someone tried to register with your address',
      before: [
        `Someone tried to create a new ${hostName} account with this e-mail address. You already have one: ${username}.`,
        'If it was you, sign in with it. If you forgot your password, set a new one here:',
      ],
      action: { label: 'Set a new password', path },
      after: [
        "If it wasn't you, ignore this e-mail: your account is unchanged, and nobody has learned that it exists.",
      ],
    }),
    'security-change': ({ username, change, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Sign-in to your ${hostName} account has changed`,
      title: CHANGES[change],
      before: [`This changed in the account ${username}.`, `${address}, ${momentIn('en', at)}`],
      action: { label: 'Set a new password', path },
      after: [
        "If it was you, you don't need to do anything. If not, set a new password immediately: this signs out all devices.",
        ...takingBack(takesFactorsAway),
      ],
    }),
    'session-copied': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `A session of your ${hostName} account was copied`,
      title: 'We ended a session that was copied',
      before: [
        `Two programs used the same session of the account ${username}. It may have been stolen, so we signed it out.`,
        `${address}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: ['To be safe, set a new password: this signs out all devices.', ...takingBack(takesFactorsAway)],
    }),
    'code-guesses': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Someone is guessing the codes of your ${hostName} account`,
      title: 'Wrong codes after the right password',
      before: [
        `Someone entered the password of the account ${username}, then several wrong codes. We allow very few attempts, so nobody got in.`,
        `${address}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: [
        "If it was you, you don't need to do anything; a backup code works too. If not, someone knows your password: set a new one now.",
        ...takingBack(takesFactorsAway),
      ],
    }),
    'account-deletion': ({ username, at, path }, { hostName }) => ({
      subject: `Your ${hostName} account is being deleted`,
      title: 'Your account is being deleted',
      before: [
        `The account ${username} can no longer be used. On ${momentIn('en', at)} we delete its data for good; documents that we must keep by law stay without your name.`,
        "If you change your mind, or if it wasn't you, you can keep the account until then:",
      ],
      action: { label: 'Keep the account', path },
      after: ['You can do the same by signing in.'],
    }),
    'data-export': ({ username, address, at, path }, { hostName }) => ({
      subject: `The data of your ${hostName} account was downloaded`,
      title: 'Your data was downloaded',
      before: [
        `All data we store about the account ${username} was downloaded as a file.`,
        `${address}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: [
        "If it was you, you don't need to do anything. If not, set a new password immediately: this signs out all devices.",
      ],
    }),
    invoice: ({ number, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${documentName(isReceipt)} ${number} from ${hostName}`,
      title: `${documentName(isReceipt)} ${number}`,
      before: [
        `We issued ${isReceipt ? 'a receipt' : 'an invoice'} for ${formatMoney(amountFt, 'en')} on ${momentIn('en', at)}.`,
      ],
      action: { label: isReceipt ? 'View receipt' : 'View invoice', path },
      after: [],
    }),
    storno: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${hostName} cancelled ${documentName(isReceipt).toLowerCase()} ${of}`,
      title: `${documentName(isReceipt)} ${of} was cancelled`,
      before: [
        `Document ${number} of ${momentIn('en', at)} cancels ${documentName(isReceipt).toLowerCase()} ${of}. It takes back ${formatMoney(amountFt, 'en')}.`,
      ],
      action: { label: 'View document', path },
      after: [],
    }),
    correction: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${hostName} corrected ${documentName(isReceipt).toLowerCase()} ${of}`,
      title: `${documentName(isReceipt)} ${of} was corrected`,
      before: [
        `Document ${number} of ${momentIn('en', at)} corrects ${documentName(isReceipt).toLowerCase()} ${of} and reduces it by ${formatMoney(amountFt, 'en')}.`,
      ],
      action: { label: 'View document', path },
      after: [],
    }),
    expiry: ({ server, at, path }) => ({
      subject: `${server} expires soon`,
      title: `${server} expires soon`,
      before: [
        `The paid time of ${server} ends on ${momentIn('en', at)}. We stop it then, and delete it with all its files 3 days later.`,
      ],
      action: { label: 'Renew server', path },
      after: [],
    }),
    withdrawal: (
      { contract, number, product, server, at, concludedAt, endsAt, backFt, keptFt, path },
      { hostName },
    ) => ({
      subject: `Confirmation of your withdrawal from ${product} (${hostName})`,
      title: 'We received your withdrawal',
      before: [
        `On ${momentIn('en', at)} you withdrew from this contract: ${WITHDRAWN[contract]} of ${product}${server === '' ? '' : `, ${server}`}, concluded on ${momentIn('en', concludedAt)}, number ${number}.`,
        `We refunded ${formatMoney(backFt, 'en')} to your balance, money as money and bonus as bonus. We kept ${formatMoney(keptFt, 'en')} for the time used${contract === 'premium' ? ', for free spins you used, and for discounts you received' : ''}.`,
        contract === 'premium'
          ? `The tier ended on ${momentIn('en', endsAt)}.`
          : `The paid time of the server ends on ${momentIn('en', endsAt)}. We stop it then, and delete it with all its files 3 days later.`,
      ],
      action: { label: 'View balance', path },
      after: ["Keep this e-mail: it confirms your withdrawal. A withdrawal can't be undone."],
    }),
    ...ticketMails('en'),
    ...ticketNoticeMails('en'),
    // Notifications that the person can switch off.
    'server.installed': ({ server, product, path }) => ({
      subject: `${server} is ready`,
      title: `${server} is ready`,
      before: [`Your ${product} server is installed. You can start it from its console.`],
      action: { label: 'Open console', path },
      after: [CHOSEN],
    }),
    'purchase.success': ({ server, product, amountFt, purchase, path }) => ({
      ...PURCHASES[purchase ?? 'order']({ server, product }),
      before: [`${product}, ${server}: we charged your balance ${formatMoney(amountFt, 'en')}.`],
      action: { label: 'Open server', path },
      after: [CHOSEN],
    }),
    'server.expired': ({ server, isTest, path }) => ({
      subject: `${server} has expired`,
      title: `${server} has expired`,
      before: [
        `The ${isTest ? 'test' : 'paid time'} of ${server} is over, so we stopped it. We delete it with all its files 3 days after it expired.`,
      ],
      action: { label: isTest ? 'Keep it or download its folder' : 'Renew it or download its folder', path },
      after: [
        `If you ${isTest ? 'buy it from its settings' : 'renew it'} before that, everything stays as it is. Until then you can also download its folder there.`,
        CHOSEN,
      ],
    }),
    'server.crashed': ({ server, path, again, error, staffError, lines = [] }) => {
      const reason = knownErrorTitle(error, 'en') ?? staffError?.en
      return {
        subject: again ? `${server} has crashed again` : `${server} has crashed and stays stopped`,
        title: `${server} has crashed`,
        before: [
          again
            ? `${server} has crashed for the second time within an hour. Its files are untouched.`
            : `${server} has crashed several times in a row, so we no longer restart it. Its files are untouched.`,
          ...(reason === undefined ? [] : [`The console names a known problem: ${reason}.`]),
        ],
        action: { label: 'Open the console', path },
        ...(lines.length > 0 ? { log: { title: 'The last lines before the crash', lines } } : {}),
        after: ['The console shows the reason and, for known problems, how to fix them.', CHOSEN],
      }
    },
    'server.storage-filling': ({ server, path }) => ({
      subject: `The storage of ${server} is almost full`,
      title: `The storage of ${server} is almost full`,
      before: [
        `If its files keep growing at this rate, the storage of ${server} will be full in less than a day. A game that cannot save loses what its players did.`,
      ],
      action: { label: 'Open the files', path },
      after: ['Delete files that you no longer need, or choose a larger size in the settings of the server.', CHOSEN],
    }),
    'server.invited': ({ server, person, path }, { hostName }) => ({
      subject: `${person} invites you to a server on ${hostName}`,
      title: `${person} wants to share a server with you`,
      before: [
        `The server: ${server}. Accept to see it among your servers and to do what ${person} allows you.`,
        'Nothing is shared until you accept.',
      ],
      action: { label: 'See the invitation', path },
      after: [`If you don't know ${person}, decline or ignore the invitation: it expires by itself.`, CHOSEN],
    }),
    'renewal.missing': ({ server, amountFt, path }) => ({
      subject: `${server} could not be renewed`,
      title: `${server} could not be renewed`,
      before: [
        `Your balance is ${formatMoney(amountFt, 'en')} short of the automatic renewal of ${server}. Nothing was charged.`,
      ],
      action: { label: 'Open the renewal', path },
      after: ['We try again until the server is deleted. Top up, and it is renewed by itself.', CHOSEN],
    }),
    'topup.failed': ({ amountFt, path }) => ({
      subject: `The top-up of ${formatMoney(amountFt, 'en')} failed`,
      title: 'Your top-up failed',
      before: [`The top-up of ${formatMoney(amountFt, 'en')} failed. Your balance is unchanged.`],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
    'topup.successful': ({ amountFt, path }) => ({
      subject: `${formatMoney(amountFt, 'en')} was added to your balance`,
      title: 'Your top-up arrived',
      before: [`${formatMoney(amountFt, 'en')} was added to your balance.`],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
    'premium.expired': ({ tier, path }) => ({
      subject: `Premium ${tier} has ended`,
      title: `Premium ${tier} has ended`,
      before: [
        `Your Premium ${tier} has ended. Its backup slots, sub-users, free spins and discount no longer apply; your servers keep running.`,
      ],
      action: { label: 'View premium', path },
      after: ['You can buy a tier again at any time.', CHOSEN],
    }),
    'refund.sent': ({ amountFt, debtFt, path }) => ({
      subject: `We refunded ${formatMoney(amountFt, 'en')}`,
      title: 'Your refund is on its way',
      before: [
        `We refunded ${formatMoney(amountFt, 'en')} to your original payment method. It can take a few days to appear in your bank account.`,
        ...owing(debtFt),
      ],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
    'refund.failed': ({ amountFt, path }) => ({
      subject: `The refund of ${formatMoney(amountFt, 'en')} didn't arrive`,
      title: "Your refund didn't arrive",
      before: [
        `The refund of ${formatMoney(amountFt, 'en')} didn't arrive at your bank. The money is back in your balance.`,
      ],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
    'refund.size': ({ server, amountFt, path }) => ({
      subject: `The upgrade of ${server} failed`,
      title: 'Upgrade failed, refunded',
      before: [
        `${server} couldn't be upgraded: its machine rejected the larger size. The server keeps its size, and ${formatMoney(amountFt, 'en')} is back in your balance.`,
      ],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
    'server.package-changed': ({ server, amountFt, path }) => ({
      subject: `${server} has moved to its new package`,
      title: 'Your new package is active',
      before: [`${server} has moved to the package that you planned. It costs ${formatMoney(amountFt, 'en')} a month.`],
      action: { label: 'Open server', path },
      after: [CHOSEN],
    }),
    'payment.taken-back': ({ amountFt, debtFt, path }) => ({
      subject: `Chargeback of ${formatMoney(amountFt, 'en')}`,
      title: 'Your bank charged back a payment',
      before: [`Your bank charged back ${formatMoney(amountFt, 'en')} of a payment.`, ...owing(debtFt)],
      action: { label: 'View balance', path },
      after: [CHOSEN],
    }),
  },
}
