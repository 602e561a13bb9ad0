import type { SecurityChange } from '#contracts/mail/mail.ts'
import { formatMoney } from '#domain/billing/money-text.ts'
import { momentIn, spanOf } from './moments.ts'
import type { MailWords } from './mail-words.ts'

const takingBack = (takesFactorsAway: boolean): string[] =>
  takesFactorsAway
    ? [
        'A second factor was added in the last 7 days. The link above also removes it, and every one that was added after it.',
      ]
    : []

const span = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
const NOT_YOU = 'If this was not you, ignore this mail: without it nothing happens.'
const CHOSEN = 'You choose in the settings of your account which of these mails you get.'

const owing = (debtFt: number): string[] =>
  debtFt === 0
    ? []
    : [
        `A part of it was spent already, so you owe ${formatMoney(debtFt, 'en')}. Your next top-up pays it first; until then you cannot buy anything.`,
      ]

const CHANGES: Readonly<Record<SecurityChange, string>> = {
  password: 'Your password was changed',
  'app-on': 'Codes from an authenticator app were turned on',
  'app-off': 'Codes from an authenticator app were turned off',
  'passkey-added': 'A passkey was added',
  'passkey-removed': 'A passkey was removed',
  'recovery-codes': 'New recovery codes were made',
}

const WITHDRAWN = { order: 'the order', renewal: 'the renewal', premium: 'the purchase' } as const

export const ENGLISH: MailWords = {
  frame: ({ hostName }) => ({
    orCopy: 'If the button does not open, copy this address into your browser:',
    foot: `${hostName} sent this mail because of something that happened in your account. Nobody reads replies to it.`,
  }),
  bodies: {
    verify: ({ username, code, minutes }, { hostName }) => ({
      subject: `${code} is your code for ${hostName}`,
      title: 'Confirm your e-mail address',
      before: [`Hello ${username}, enter this code to confirm that this address is yours:`],
      code,
      after: [`It works once, within ${span(minutes)}. Never tell it to anybody: we do not ask for it.`, NOT_YOU],
    }),
    reset: ({ username, path, minutes }, { hostName }) => ({
      subject: `Set a new password for ${hostName}`,
      title: 'Set a new password',
      before: [`Hello ${username}, you asked for a new password. Set it here:`],
      action: { label: 'Set a new password', path },
      after: [`The link works once, within ${span(minutes)}. All devices are logged out then.`, NOT_YOU],
    }),
    'email-change': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Confirm your new e-mail address for ${hostName}`,
      title: 'Confirm your new e-mail address',
      before: [`The account ${username} shall use the address ${newEmail} from now on. Confirm that it is yours:`],
      action: { label: 'Confirm this address', path },
      after: [`The link works within ${span(minutes)}. Until then the old address stays.`, NOT_YOU],
    }),
    'email-change-notice': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `The e-mail address of your ${hostName} account is being changed`,
      title: 'Your e-mail address is being changed',
      before: [
        `Somebody who is logged in as ${username} asked to replace this address by ${newEmail}. If it was you, there is nothing to do here.`,
        'If it was not you, take it back. All devices are logged out then, and you should set a new password.',
      ],
      action: { label: 'Take the change back', path },
      after: [`The link works for ${span(minutes)}, also after the new address was confirmed.`],
    }),
    'new-device': ({ username, device, address, place, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `New device in your ${hostName} account`,
      title: 'Somebody logged in on a new device',
      before: [
        `The account ${username} was used on a device that it had not been used on before.`,
        `${[device, address, place].filter(Boolean).join(', ')}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: [
        'If it was you, there is nothing to do. If not, set a new password at once: all devices are logged out then.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'register-attempt': ({ username, path }, { hostName }) => ({
      subject: `You already have an account at ${hostName}`,
      title: 'Somebody tried to register with your address',
      before: [
        `Somebody tried to make a new account at ${hostName} with this e-mail address. You have one already: ${username}.`,
        'If it was you, log in with it. If you forgot the password, set a new one here:',
      ],
      action: { label: 'Set a new password', path },
      after: ['If it was not you, ignore this mail: your account is as it was, and nobody has been told of it.'],
    }),
    'security-change': ({ username, change, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `The login of your ${hostName} account has changed`,
      title: CHANGES[change],
      before: [`This was changed in the account ${username}.`, `${address}, ${momentIn('en', at)}`],
      action: { label: 'Set a new password', path },
      after: [
        'If it was you, there is nothing to do. If not, set a new password at once: all devices are logged out then.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'session-copied': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `A session of your ${hostName} account was copied`,
      title: 'We ended a session that was copied',
      before: [
        `Two programs used the same session of the account ${username}. Such a session can have been stolen, so it is logged out now.`,
        `${address}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: ['To be safe, set a new password: all devices are logged out then.', ...takingBack(takesFactorsAway)],
    }),
    'account-deletion': ({ username, at, path }, { hostName }) => ({
      subject: `Your ${hostName} account is being deleted`,
      title: 'Your account is being deleted',
      before: [
        `The account ${username} can no longer be used. On ${momentIn('en', at)} its data is removed for good; what the law makes us keep stays without your name.`,
        'If you have changed your mind, or if it was not you, take it back until then:',
      ],
      action: { label: 'Keep the account', path },
      after: ['Logging in offers the same.'],
    }),
    'data-export': ({ username, address, at, path }, { hostName }) => ({
      subject: `The data of your ${hostName} account was downloaded`,
      title: 'Your data was downloaded',
      before: [
        `Everything that we hold of the account ${username} was downloaded as a file.`,
        `${address}, ${momentIn('en', at)}`,
      ],
      action: { label: 'Set a new password', path },
      after: [
        'If it was you, there is nothing to do. If not, set a new password at once: all devices are logged out then.',
      ],
    }),
    invoice: ({ number, amountFt, at, path }, { hostName }) => ({
      subject: `Invoice ${number} of ${hostName}`,
      title: `Invoice ${number}`,
      before: [`We issued an invoice over ${formatMoney(amountFt, 'en')} on ${momentIn('en', at)}.`],
      action: { label: 'Open the invoice', path },
      after: [],
    }),
    storno: ({ number, of, amountFt, at, path }, { hostName }) => ({
      subject: `Invoice ${of} of ${hostName} was cancelled`,
      title: `Invoice ${of} was cancelled`,
      before: [
        `We cancelled invoice ${of} on ${momentIn('en', at)} by document ${number}. It takes back ${formatMoney(amountFt, 'en')}.`,
      ],
      action: { label: 'Open the document', path },
      after: [],
    }),
    correction: ({ number, of, amountFt, at, path }, { hostName }) => ({
      subject: `Invoice ${of} of ${hostName} was corrected`,
      title: `Invoice ${of} was corrected`,
      before: [
        `We corrected invoice ${of} on ${momentIn('en', at)} by document ${number}. It takes ${formatMoney(amountFt, 'en')} off the invoice.`,
      ],
      action: { label: 'Open the document', path },
      after: [],
    }),
    expiry: ({ server, at, path }) => ({
      subject: `${server} expires soon`,
      title: `${server} expires soon`,
      before: [
        `The paid time of ${server} ends on ${momentIn('en', at)}. It is stopped then, and deleted with all its files 3 days later.`,
      ],
      action: { label: 'Renew the server', path },
      after: [],
    }),
    withdrawal: (
      { contract, number, product, server, at, concludedAt, endsAt, backFt, keptFt, path },
      { hostName },
    ) => ({
      subject: `Receipt of your withdrawal from ${product} (${hostName})`,
      title: 'We received your withdrawal',
      before: [
        `On ${momentIn('en', at)} you withdrew from this contract: ${WITHDRAWN[contract]} of ${product}${server === '' ? '' : `, ${server}`}, concluded on ${momentIn('en', concludedAt)}, number ${number}.`,
        `${formatMoney(backFt, 'en')} came back to your balance, the same way it was paid. ${formatMoney(keptFt, 'en')} is kept for what was used${contract === 'premium' ? ': days, free spins, and discounts that you had' : ''}.`,
        contract === 'premium'
          ? `The tier ended on ${momentIn('en', endsAt)}.`
          : `The paid time of the server ends on ${momentIn('en', endsAt)}. It is stopped then, and deleted with all its files 3 days later.`,
      ],
      action: { label: 'Open the balance', path },
      after: ['Keep this mail: it is the receipt of your statement. A withdrawal cannot be undone.'],
    }),
    'ticket-reply': ({ title, path }, { hostName }) => ({
      subject: `${hostName} answered: ${title}`,
      title: 'Your ticket has an answer',
      before: [title],
      action: { label: 'Read the answer', path },
      after: [],
    }),
    // Notifications that the person can switch off.
    'server.installed': ({ server, product, path }) => ({
      subject: `${server} is ready`,
      title: `${server} is ready`,
      before: [`Your ${product} server is installed. You can start it from its console.`],
      action: { label: 'Open the console', path },
      after: [CHOSEN],
    }),
    'purchase.success': ({ server, product, amountFt, path }) => ({
      subject: `Order complete: ${product}`,
      title: 'Your order is complete',
      before: [`${product}, ${server}: ${formatMoney(amountFt, 'en')} was taken from your balance.`],
      action: { label: 'Open the server', path },
      after: [CHOSEN],
    }),
    'server.expired': ({ server, isTest, path }) => ({
      subject: `${server} has expired`,
      title: `${server} has expired`,
      before: [
        `The ${isTest ? 'test' : 'paid time'} of ${server} is over, so it is stopped. It is deleted with all its files 3 days after it expired.`,
      ],
      action: { label: isTest ? 'Keep it or download its folder' : 'Renew it or download its folder', path },
      after: [
        `If you ${isTest ? 'buy it in its settings' : 'renew it'} before that, everything stays as it is. Until then you can also download its folder there.`,
        CHOSEN,
      ],
    }),
    'topup.failed': ({ amountFt, path }) => ({
      subject: `The top-up of ${formatMoney(amountFt, 'en')} failed`,
      title: 'The top-up failed',
      before: [`The top-up of ${formatMoney(amountFt, 'en')} failed. Your balance is unchanged.`],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
    'topup.successful': ({ amountFt, path }) => ({
      subject: `${formatMoney(amountFt, 'en')} arrived on your balance`,
      title: 'The top-up arrived',
      before: [`${formatMoney(amountFt, 'en')} arrived on your balance.`],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
    'premium.expired': ({ tier, path }) => ({
      subject: `Premium ${tier} has ended`,
      title: `Premium ${tier} has ended`,
      before: [
        `Your Premium ${tier} has ended. Its backup slots, sub-users, free spins and discount no longer apply; your servers run on.`,
      ],
      action: { label: 'Open premium', path },
      after: ['You can buy a tier again at any time.', CHOSEN],
    }),
    'refund.sent': ({ amountFt, debtFt, path }) => ({
      subject: `${formatMoney(amountFt, 'en')} was sent back`,
      title: 'Your refund is on its way',
      before: [
        `We sent ${formatMoney(amountFt, 'en')} back to where it came from. Until your bank shows it, a few days may pass.`,
        ...owing(debtFt),
      ],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
    'refund.failed': ({ amountFt, path }) => ({
      subject: `The refund of ${formatMoney(amountFt, 'en')} did not arrive`,
      title: 'The refund did not arrive',
      before: [
        `The refund of ${formatMoney(amountFt, 'en')} did not arrive at your bank. The money is on your balance again.`,
      ],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
    'refund.size': ({ server, amountFt, path }) => ({
      subject: `${server} did not get its larger size`,
      title: 'The larger size was not taken',
      before: [
        `The machine of ${server} did not take the larger size, so the server keeps the size it had and ${formatMoney(amountFt, 'en')} is back on your balance.`,
      ],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
    'payment.taken-back': ({ amountFt, debtFt, path }) => ({
      subject: `Your bank took back ${formatMoney(amountFt, 'en')}`,
      title: 'A payment was taken back',
      before: [`Your bank took back ${formatMoney(amountFt, 'en')} of a payment.`, ...owing(debtFt)],
      action: { label: 'Open the balance', path },
      after: [CHOSEN],
    }),
  },
}
