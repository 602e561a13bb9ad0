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
        'In den letzten 7 Tagen ist ein zweiter Faktor dazugekommen. Der Link oben entfernt auch ihn und alle, die danach hinzugefügt wurden.',
      ]
    : []

const UNITS = {
  minute: ['Minute', 'Minuten'],
  hour: ['Stunde', 'Stunden'],
  day: ['Tag', 'Tagen'],
} as const
/** For use after "innerhalb von"; "Tagen lang" is replaced by the other case. */
const within = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  const one = unit === 'day' ? 'eines Tages' : `einer ${UNITS[unit][0]}`
  return count === 1 ? `innerhalb ${one}` : `innerhalb von ${count} ${UNITS[unit][1]}`
}
const lasting = (minutes: number): string => {
  const { count, unit } = spanOf(minutes)
  if (count === 1) return unit === 'day' ? 'einen Tag lang' : `eine ${UNITS[unit][0]} lang`
  return `${count} ${unit === 'day' ? 'Tage' : UNITS[unit][1]} lang`
}
const NOT_YOU = 'Wenn du das nicht warst, ignoriere diese E-Mail: Ohne sie geschieht nichts.'
const CHOSEN = 'In den Einstellungen deines Kontos wählst du, welche dieser E-Mails du bekommst.'

const owing = (debtFt: number): string[] =>
  debtFt === 0
    ? []
    : [
        `Ein Teil davon war schon ausgegeben, deshalb schuldest du ${formatMoney(debtFt, 'de')}. Die nächste Aufladung begleicht sie zuerst; bis dahin kannst du nichts kaufen.`,
      ]

const CHANGES: Readonly<Record<SecurityChange, string>> = {
  password: 'Dein Passwort wurde geändert',
  'app-on': 'Codes einer Authenticator-App wurden eingeschaltet',
  'app-off': 'Codes einer Authenticator-App wurden ausgeschaltet',
  'passkey-added': 'Ein Passkey wurde hinzugefügt',
  'passkey-removed': 'Ein Passkey wurde entfernt',
  'ssh-key-added': 'Ein SSH-Schlüssel wurde hinzugefügt',
  'app-password-added': 'Ein App-Passwort wurde erstellt',
  'recovery-codes': 'Neue Wiederherstellungscodes wurden erstellt',
}

const WITHDRAWN = { order: 'Bestellung', renewal: 'Verlängerung', premium: 'Kauf' } as const

const documentName = (isReceipt: true | undefined): string => (isReceipt ? 'Quittung' : 'Rechnung')

type Bought = { readonly server: string; readonly product: string }

const PURCHASES = {
  order: ({ product }: Bought) => ({ subject: `Bestellung erfolgreich: ${product}`, title: 'Bestellung erfolgreich' }),
  renewal: ({ server }: Bought) => ({ subject: `${server} ist verlängert`, title: 'Dein Server ist verlängert' }),
  resize: ({ server }: Bought) => ({
    subject: `${server} hat eine neue Größe`,
    title: 'Dein Server hat eine neue Größe',
  }),
} as const

export const GERMAN: MailWords = {
  frame: ({ hostName }) => ({
    orCopy: 'Falls die Schaltfläche nicht funktioniert, kopiere diese Adresse in deinen Browser:',
    foot: `${hostName} hat diese E-Mail gesendet, weil in deinem Konto etwas geschehen ist. Antworten darauf liest niemand.`,
  }),
  bodies: {
    verify: ({ username, code, minutes }, { hostName }) => ({
      subject: `${code} ist dein Code für ${hostName}`,
      title: 'Bestätige deine E-Mail-Adresse',
      before: [`Hallo ${username}, gib diesen Code ein, um zu bestätigen, dass diese Adresse dir gehört:`],
      code,
      after: [`Er gilt einmal, ${within(minutes)}. Verrate ihn niemandem: Auch wir fragen nie danach.`, NOT_YOU],
    }),
    reset: ({ username, path, minutes }, { hostName }) => ({
      subject: `Neues Passwort für ${hostName}`,
      title: 'Lege ein neues Passwort fest',
      before: [`Hallo ${username}, du hast ein neues Passwort angefordert. Hier legst du es fest:`],
      action: { label: 'Neues Passwort festlegen', path },
      after: [`Der Link gilt einmal, ${within(minutes)}. Danach bist du auf allen Geräten abgemeldet.`, NOT_YOU],
    }),
    'email-change': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Bestätige deine neue E-Mail-Adresse für ${hostName}`,
      title: 'Bestätige deine neue E-Mail-Adresse',
      before: [`Das Konto ${username} soll künftig die Adresse ${newEmail} verwenden. Bestätige, dass sie dir gehört:`],
      action: { label: 'Adresse bestätigen', path },
      after: [`Der Link gilt ${lasting(minutes)}. Bis dahin bleibt die alte Adresse.`, NOT_YOU],
    }),
    'email-change-notice': ({ username, newEmail, path, minutes }, { hostName }) => ({
      subject: `Die E-Mail-Adresse deines Kontos bei ${hostName} wird geändert`,
      title: 'Deine E-Mail-Adresse wird geändert',
      before: [
        `Jemand, der als ${username} angemeldet ist, möchte diese Adresse durch ${newEmail} ersetzen. Wenn du das warst, ist nichts zu tun.`,
        'Wenn du das nicht warst, nimm die Änderung zurück. Danach bist du auf allen Geräten abgemeldet, und du solltest ein neues Passwort festlegen.',
      ],
      action: { label: 'Änderung zurücknehmen', path },
      after: [`Der Link gilt ${lasting(minutes)}, auch nachdem die neue Adresse bestätigt wurde.`],
    }),
    'new-device': ({ username, device, address, place, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Neues Gerät in deinem Konto bei ${hostName}`,
      title: 'Anmeldung auf einem neuen Gerät',
      before: [
        `Das Konto ${username} wurde auf einem Gerät benutzt, auf dem es bisher nicht benutzt wurde.`,
        `${[device, address, place].filter(Boolean).join(', ')}, ${momentIn('de', at)}`,
      ],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Wenn du das warst, ist nichts zu tun. Wenn nicht, lege sofort ein neues Passwort fest: Danach bist du auf allen Geräten abgemeldet.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'register-attempt': ({ username, path }, { hostName }) => ({
      subject: `Du hast bereits ein Konto bei ${hostName}`,
      title: 'Jemand wollte sich mit deiner Adresse registrieren',
      before: [
        `Jemand wollte mit dieser E-Mail-Adresse ein neues Konto bei ${hostName} anlegen. Du hast schon eines: ${username}.`,
        'Wenn du das warst, melde dich damit an. Wenn du das Passwort vergessen hast, lege hier ein neues fest:',
      ],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Wenn du das nicht warst, ist nichts zu tun: Dein Konto ist unverändert, und niemand hat davon erfahren.',
      ],
    }),
    'security-change': ({ username, change, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Die Anmeldung an deinem Konto bei ${hostName} wurde geändert`,
      title: CHANGES[change],
      before: [`Das wurde im Konto ${username} geändert.`, `${address}, ${momentIn('de', at)}`],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Wenn du das warst, ist nichts zu tun. Wenn nicht, lege sofort ein neues Passwort fest: Danach bist du auf allen Geräten abgemeldet.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'session-copied': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Eine Sitzung deines Kontos bei ${hostName} wurde kopiert`,
      title: 'Wir haben eine kopierte Sitzung beendet',
      before: [
        `Zwei Programme haben dieselbe Sitzung des Kontos ${username} benutzt. Sie kann gestohlen worden sein und ist jetzt abgemeldet.`,
        `${address}, ${momentIn('de', at)}`,
      ],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Lege zur Sicherheit ein neues Passwort fest: Danach bist du auf allen Geräten abgemeldet.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'code-guesses': ({ username, address, at, path, takesFactorsAway }, { hostName }) => ({
      subject: `Jemand probiert Codes für dein Konto bei ${hostName} aus`,
      title: 'Falsche Codes nach dem richtigen Passwort',
      before: [
        `Jemand hat das Passwort des Kontos ${username} eingegeben und danach mehrere falsche Codes. Wir lassen nur sehr wenige Versuche zu, deshalb kam niemand hinein.`,
        `${address}, ${momentIn('de', at)}`,
      ],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Wenn du das warst, ist nichts zu tun; auch ein Wiederherstellungscode funktioniert. Wenn nicht, kennt jemand dein Passwort: Lege jetzt ein neues fest.',
        ...takingBack(takesFactorsAway),
      ],
    }),
    'account-deletion': ({ username, at, path }, { hostName }) => ({
      subject: `Dein Konto bei ${hostName} wird gelöscht`,
      title: 'Dein Konto wird gelöscht',
      before: [
        `Das Konto ${username} kann nicht mehr benutzt werden. Am ${momentIn('de', at)} löschen wir seine Daten endgültig; Belege, die wir gesetzlich aufbewahren müssen, bleiben ohne deinen Namen.`,
        'Wenn du es dir anders überlegt hast oder es nicht warst, nimm es bis dahin zurück:',
      ],
      action: { label: 'Konto behalten', path },
      after: ['Beim Anmelden wird dir dasselbe angeboten.'],
    }),
    'data-export': ({ username, address, at, path }, { hostName }) => ({
      subject: `Die Daten deines Kontos bei ${hostName} wurden heruntergeladen`,
      title: 'Deine Daten wurden heruntergeladen',
      before: [
        `Alles, was wir über das Konto ${username} gespeichert haben, wurde als Datei heruntergeladen.`,
        `${address}, ${momentIn('de', at)}`,
      ],
      action: { label: 'Neues Passwort festlegen', path },
      after: [
        'Wenn du das warst, ist nichts zu tun. Wenn nicht, lege sofort ein neues Passwort fest: Danach bist du auf allen Geräten abgemeldet.',
      ],
    }),
    invoice: ({ number, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${documentName(isReceipt)} ${number} von ${hostName}`,
      title: `${documentName(isReceipt)} ${number}`,
      before: [
        `Wir haben am ${momentIn('de', at)} eine ${documentName(isReceipt)} über ${formatMoney(amountFt, 'de')} ausgestellt.`,
      ],
      action: { label: `${documentName(isReceipt)} öffnen`, path },
      after: [],
    }),
    storno: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${documentName(isReceipt)} ${of} von ${hostName} wurde storniert`,
      title: `${documentName(isReceipt)} ${of} wurde storniert`,
      before: [
        `Wir haben die ${documentName(isReceipt)} ${of} am ${momentIn('de', at)} mit dem Beleg ${number} storniert. Er nimmt ${formatMoney(amountFt, 'de')} zurück.`,
      ],
      action: { label: 'Beleg öffnen', path },
      after: [],
    }),
    correction: ({ number, of, amountFt, at, path, isReceipt }, { hostName }) => ({
      subject: `${documentName(isReceipt)} ${of} von ${hostName} wurde berichtigt`,
      title: `${documentName(isReceipt)} ${of} wurde berichtigt`,
      before: [
        `Wir haben die ${documentName(isReceipt)} ${of} am ${momentIn('de', at)} mit dem Beleg ${number} berichtigt. Sie verringert sich um ${formatMoney(amountFt, 'de')}.`,
      ],
      action: { label: 'Beleg öffnen', path },
      after: [],
    }),
    expiry: ({ server, at, path }) => ({
      subject: `${server} läuft bald ab`,
      title: `${server} läuft bald ab`,
      before: [
        `Die bezahlte Zeit von ${server} endet am ${momentIn('de', at)}. Dann wird der Server gestoppt und 3 Tage später mit allen Dateien gelöscht.`,
      ],
      action: { label: 'Server verlängern', path },
      after: [],
    }),
    withdrawal: (
      { contract, number, product, server, at, concludedAt, endsAt, backFt, keptFt, path },
      { hostName },
    ) => ({
      subject: `Bestätigung deines Widerrufs: ${product} (${hostName})`,
      title: 'Wir haben deinen Widerruf erhalten',
      before: [
        `Am ${momentIn('de', at)} hast du diesen Vertrag widerrufen: ${WITHDRAWN[contract]} ${product}${server === '' ? '' : `, ${server}`}, geschlossen am ${momentIn('de', concludedAt)}, Nummer ${number}.`,
        `${formatMoney(backFt, 'de')} sind zurück auf deinem Guthaben, Geld als Geld und Bonus als Bonus. ${formatMoney(keptFt, 'de')} behalten wir für die genutzte Zeit ein${contract === 'premium' ? ', für genutzte Gratisdrehungen und für erhaltene Rabatte' : ''}.`,
        contract === 'premium'
          ? `Die Stufe endete am ${momentIn('de', endsAt)}.`
          : `Die bezahlte Zeit des Servers endet am ${momentIn('de', endsAt)}. Dann wird er gestoppt und 3 Tage später mit allen Dateien gelöscht.`,
      ],
      action: { label: 'Guthaben öffnen', path },
      after: ['Bewahre diese E-Mail auf: Sie bestätigt deinen Widerruf. Ein Widerruf lässt sich nicht zurücknehmen.'],
    }),
    ...ticketMails('de'),
    ...ticketNoticeMails('de'),
    // Notifications that the person can switch off.
    'server.installed': ({ server, product, path }) => ({
      subject: `${server} ist bereit`,
      title: `${server} ist bereit`,
      before: [`Dein Server ist installiert (${product}). Du kannst ihn auf seiner Konsole starten.`],
      action: { label: 'Konsole öffnen', path },
      after: [CHOSEN],
    }),
    'purchase.success': ({ server, product, amountFt, purchase, path }) => ({
      ...PURCHASES[purchase ?? 'order']({ server, product }),
      before: [`${product}, ${server}: ${formatMoney(amountFt, 'de')} wurden von deinem Guthaben abgebucht.`],
      action: { label: 'Server öffnen', path },
      after: [CHOSEN],
    }),
    'server.expired': ({ server, isTest, path }) => ({
      subject: `${server} ist abgelaufen`,
      title: `${server} ist abgelaufen`,
      before: [
        `Die ${isTest ? 'Testzeit' : 'bezahlte Zeit'} von ${server} ist vorbei, deshalb ist der Server gestoppt. 3 Tage nach dem Ablauf wird er mit allen Dateien gelöscht.`,
      ],
      action: { label: isTest ? 'Behalten oder Ordner herunterladen' : 'Verlängern oder Ordner herunterladen', path },
      after: [
        `Wenn du ihn vorher ${isTest ? 'in seinen Einstellungen kaufst' : 'verlängerst'}, bleibt alles, wie es ist. Bis dahin kannst du dort auch seinen Ordner herunterladen.`,
        CHOSEN,
      ],
    }),
    'server.crashed': ({ server, path, again, error, staffError, lines = [] }) => {
      const reason = knownErrorTitle(error, 'de') ?? staffError?.de
      return {
        subject: again ? `${server} ist wieder abgestürzt` : `${server} ist abgestürzt und bleibt gestoppt`,
        title: `${server} ist abgestürzt`,
        before: [
          again
            ? `${server} ist innerhalb einer Stunde zum zweiten Mal abgestürzt. Seine Dateien sind unberührt.`
            : `${server} ist mehrmals hintereinander abgestürzt, deshalb starten wir ihn nicht mehr neu. Seine Dateien sind unberührt.`,
          ...(reason === undefined ? [] : [`Die Konsole nennt ein bekanntes Problem: ${reason}.`]),
        ],
        action: { label: 'Konsole öffnen', path },
        ...(lines.length > 0 ? { log: { title: 'Die letzten Zeilen vor dem Absturz', lines } } : {}),
        after: ['Die Konsole zeigt den Grund und bei bekannten Problemen auch die Lösung.', CHOSEN],
      }
    },
    'server.storage-filling': ({ server, path }) => ({
      subject: `Der Speicherplatz von ${server} ist fast voll`,
      title: `Der Speicherplatz von ${server} ist fast voll`,
      before: [
        `Wenn die Dateien weiter so wachsen, ist der Speicherplatz von ${server} in weniger als einem Tag voll. Ein Spiel, das nicht speichern kann, verliert den Fortschritt der Spieler.`,
      ],
      action: { label: 'Dateien öffnen', path },
      after: [
        'Lösche Dateien, die du nicht mehr brauchst, oder buche in den Einstellungen des Servers mehr Speicherplatz.',
        CHOSEN,
      ],
    }),
    'server.invited': ({ server, person, path }, { hostName }) => ({
      subject: `${person} lädt dich zu einem Server bei ${hostName} ein`,
      title: `${person} möchte einen Server mit dir teilen`,
      before: [
        `Der Server: ${server}. Nimm an, dann siehst du ihn bei deinen Servern und kannst tun, was ${person} dir erlaubt.`,
        'Bis du annimmst, wird nichts geteilt.',
      ],
      action: { label: 'Einladung ansehen', path },
      after: [
        `Wenn du ${person} nicht kennst, lehne ab oder ignoriere die Einladung: sie läuft von selbst ab.`,
        CHOSEN,
      ],
    }),
    'renewal.missing': ({ server, amountFt, path }) => ({
      subject: `${server} konnte nicht verlängert werden`,
      title: `${server} konnte nicht verlängert werden`,
      before: [
        `Für die automatische Verlängerung von ${server} fehlen ${formatMoney(amountFt, 'de')} auf deinem Guthaben. Es wurde nichts abgebucht.`,
      ],
      action: { label: 'Verlängerung öffnen', path },
      after: [
        'Wir versuchen es erneut, bis der Server gelöscht wird. Lade dein Guthaben auf, dann verlängert er sich von selbst.',
        CHOSEN,
      ],
    }),
    'topup.failed': ({ amountFt, path }) => ({
      subject: `Aufladung von ${formatMoney(amountFt, 'de')} fehlgeschlagen`,
      title: 'Aufladung fehlgeschlagen',
      before: [`Die Aufladung von ${formatMoney(amountFt, 'de')} ist fehlgeschlagen. Dein Guthaben ist unverändert.`],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
    'topup.successful': ({ amountFt, path }) => ({
      subject: `${formatMoney(amountFt, 'de')} wurden deinem Guthaben gutgeschrieben`,
      title: 'Aufladung eingegangen',
      before: [`${formatMoney(amountFt, 'de')} wurden deinem Guthaben gutgeschrieben.`],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
    'premium.expired': ({ tier, path }) => ({
      subject: `Premium ${tier} ist abgelaufen`,
      title: `Premium ${tier} ist abgelaufen`,
      before: [
        `Dein Premium ${tier} ist abgelaufen. Die zusätzlichen Backup-Plätze und Unterbenutzer, die Gratisdrehungen und der Rabatt gelten nicht mehr; deine Server laufen weiter.`,
      ],
      action: { label: 'Premium öffnen', path },
      after: ['Du kannst jederzeit wieder eine Stufe kaufen.', CHOSEN],
    }),
    'refund.sent': ({ amountFt, debtFt, path }) => ({
      subject: `${formatMoney(amountFt, 'de')} wurden erstattet`,
      title: 'Deine Erstattung ist unterwegs',
      before: [
        `Wir haben ${formatMoney(amountFt, 'de')} auf die ursprüngliche Zahlungsart erstattet. Bis der Betrag auf deinem Konto erscheint, können einige Tage vergehen.`,
        ...owing(debtFt),
      ],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
    'refund.failed': ({ amountFt, path }) => ({
      subject: `Die Erstattung von ${formatMoney(amountFt, 'de')} kam nicht an`,
      title: 'Die Erstattung kam nicht an',
      before: [
        `Die Erstattung von ${formatMoney(amountFt, 'de')} kam bei deiner Bank nicht an. Das Geld ist wieder auf deinem Guthaben.`,
      ],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
    'refund.size': ({ server, amountFt, path }) => ({
      subject: `Das Upgrade von ${server} ist fehlgeschlagen`,
      title: 'Upgrade fehlgeschlagen, Geld zurück',
      before: [
        `Das Upgrade von ${server} ist fehlgeschlagen: Die Maschine hat die neue Größe abgelehnt. Der Server behält seine Größe, und ${formatMoney(amountFt, 'de')} sind zurück auf deinem Guthaben.`,
      ],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
    'server.package-changed': ({ server, amountFt, path }) => ({
      subject: `${server} ist in das neue Paket gewechselt`,
      title: 'Dein neues Paket ist aktiv',
      before: [`${server} ist in das geplante Paket gewechselt. Es kostet ${formatMoney(amountFt, 'de')} im Monat.`],
      action: { label: 'Server öffnen', path },
      after: [CHOSEN],
    }),
    'payment.taken-back': ({ amountFt, debtFt, path }) => ({
      subject: `Rückbuchung von ${formatMoney(amountFt, 'de')}`,
      title: 'Deine Bank hat eine Zahlung zurückgebucht',
      before: [`Deine Bank hat ${formatMoney(amountFt, 'de')} einer Zahlung zurückgebucht.`, ...owing(debtFt)],
      action: { label: 'Guthaben öffnen', path },
      after: [CHOSEN],
    }),
  },
}
