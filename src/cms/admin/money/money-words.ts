import type { LedgerDocument } from '#contracts/http/staff-money.ts'
import { words, type Words } from '../../fields/languages.ts'

type List = Readonly<Record<string, Words>>

export const transactionTypes: List = {
  'top-up': words('Top-up', 'Feltöltés', 'Aufladung'),
  order: words('Order', 'Rendelés', 'Bestellung'),
  renewal: words('Renewal', 'Megújítás', 'Verlängerung'),
  'server modification': words('Server resize', 'Szerver átméretezése', 'Server-Anpassung'),
  premium: words('Premium', 'Prémium', 'Premium'),
  spin: words('Spins', 'Pörgetés', 'Drehungen'),
  prize: words('Prize', 'Nyeremény', 'Gewinn'),
  coupon: words('Coupon', 'Kupon', 'Gutschein'),
  refund: words('Refund', 'Visszatérítés', 'Erstattung'),
  correction: words('Correction', 'Módosítás', 'Berichtigung'),
}

export const transactionStates: List = {
  processing: words('Processing', 'Folyamatban', 'In Bearbeitung'),
  finished: words('Completed', 'Kész', 'Abgeschlossen'),
  failed: words('Failed', 'Sikertelen', 'Fehlgeschlagen'),
}

export const standings: List = {
  created: words('Started', 'Elkezdve', 'Begonnen'),
  pending: words('Waiting for the provider', 'A szolgáltatóra vár', 'Wartet auf den Anbieter'),
  requires_action: words('Waiting for the customer', 'Az ügyfélre vár', 'Wartet auf den Kunden'),
  failed: words('Failed', 'Sikertelen', 'Fehlgeschlagen'),
  expired: words('Expired', 'Lejárt', 'Abgelaufen'),
  settled: words('Arrived', 'Megérkezett', 'Eingegangen'),
  partially_refunded: words('Partly refunded', 'Részben visszatérítve', 'Teilweise erstattet'),
  refunded: words('Refunded', 'Visszatérítve', 'Erstattet'),
  disputed: words('Disputed', 'Vitatott', 'Beanstandet'),
  charged_back: words('Charged back by the bank', 'A bank visszaterhelte', 'Von der Bank zurückgebucht'),
}

export const refundStates: List = {
  requested: words('Started', 'Elkezdve', 'Begonnen'),
  pending: words('In transit', 'Úton', 'Unterwegs'),
  succeeded: words('Refunded', 'Visszatérítve', 'Erstattet'),
  failed: words('Rejected by the provider', 'A szolgáltató elutasította', 'Vom Anbieter abgelehnt'),
  proposed: words('Waiting for an approver', 'Jóváhagyóra vár', 'Wartet auf Freigabe'),
}

export const disputes: List = {
  open: words('Open', 'Folyamatban', 'Offen'),
  lost: words('Lost', 'Elveszett', 'Verloren'),
  won: words('Won', 'Megnyerve', 'Gewonnen'),
}

export const takenBackKinds: List = {
  dispute: words('By the bank', 'A bank terhelte vissza', 'Von der Bank'),
  refund: words('Refunded at the provider', 'A szolgáltatónál visszatérítve', 'Beim Anbieter erstattet'),
}

export const takenBackStates: List = {
  taken: words('Debited', 'Levonva', 'Abgebucht'),
  won: words('Won, returned', 'Megnyerve, visszaadva', 'Gewonnen, zurückgegeben'),
  returned: words(
    'Failed at the bank, returned',
    'A banknál meghiúsult, visszaadva',
    'Bei der Bank gescheitert, zurückgegeben',
  ),
}

export const documentForms: List = {
  electronic: words('Invoice', 'Számla', 'Rechnung'),
  receipt: words('Receipt', 'Nyugta', 'Quittung'),
}

export const documentStates: List = {
  issued: words('Issued', 'Kiállítva', 'Ausgestellt'),
  paid: words('Paid', 'Fizetve', 'Bezahlt'),
  storno: words('Cancelled', 'Sztornózva', 'Storniert'),
  corrected: words('Corrected', 'Helyesbítve', 'Berichtigt'),
}

export const problems: List = {
  UNKNOWN_PAYMENT: words('Matches no payment', 'Nem tartozik fizetéshez', 'Gehört zu keiner Zahlung'),
  AMOUNT_MISMATCH: words('Different amount', 'Eltérő összeg', 'Anderer Betrag'),
  CURRENCY_MISMATCH: words('Different currency', 'Eltérő pénznem', 'Andere Währung'),
  REFERENCE_MISMATCH: words('Different reference', 'Eltérő közlemény', 'Andere Referenz'),
  SECOND_SETTLEMENT: words('Paid twice', 'Kétszer fizetve', 'Doppelt bezahlt'),
  FOREIGN_REFUND: words('Refunded at the provider', 'A szolgáltatónál visszatérítve', 'Beim Anbieter erstattet'),
  ERASED_ACCOUNT: words('Account deleted', 'Fiók törölve', 'Konto gelöscht'),
}

export const unmatchedStates: List = {
  open: words('Waiting for a decision', 'Döntésre vár', 'Wartet auf eine Entscheidung'),
  assigned: words('Assigned', 'Hozzárendelve', 'Zugeordnet'),
  dismissed: words('Dismissed', 'Elvetve', 'Verworfen'),
}

export const proposalStates: List = {
  open: words('Waiting for an approver', 'Jóváhagyóra vár', 'Wartet auf Freigabe'),
  confirmed: words('Approved', 'Jóváhagyva', 'Freigegeben'),
  refused: words('Rejected', 'Elutasítva', 'Abgelehnt'),
  expired: words('Expired', 'Lejárt', 'Abgelaufen'),
}

export const buckets: List = {
  money: words('Money', 'Valódi pénz', 'Geld'),
  bonus: words('Bonus', 'Bónusz', 'Bonus'),
}

export const directions: List = {
  credit: words('Credit (add)', 'Jóváírás (hozzáad)', 'Gutschrift (hinzufügen)'),
  debit: words('Debit (subtract)', 'Terhelés (elvesz)', 'Belastung (abziehen)'),
}

export const accountKinds: List = {
  user_wallet: words('Customer: money', 'Ügyfél: pénz', 'Kunde: Geld'),
  user_bonus: words('Customer: bonus', 'Ügyfél: bónusz', 'Kunde: Bonus'),
  user_debt: words('Customer: debt', 'Ügyfél: tartozás', 'Kunde: Schulden'),
  provider_clearing: words('Receivable from providers', 'Szolgáltatóknál lévő pénz', 'Offen bei Anbietern'),
  provider_fee: words('Provider fees', 'Szolgáltatói díjak', 'Gebühren der Anbieter'),
  revenue: words('Revenue', 'Árbevétel', 'Umsatz'),
  vat_payable: words('VAT payable', 'Fizetendő áfa', 'Abzuführende Umsatzsteuer'),
  promotion: words('Cost of gifts', 'Ajándékok költsége', 'Kosten von Geschenken'),
  rounding: words('Rounding', 'Kerekítés', 'Rundung'),
  refunds_out: words('Refunds in transit', 'Úton lévő visszatérítések', 'Erstattungen unterwegs'),
  manual_adjustment: words('Manual corrections', 'Kézi módosítások', 'Manuelle Berichtigungen'),
  chargeback_loss: words('Chargeback losses', 'Visszaterhelések vesztesége', 'Verluste aus Rückbuchungen'),
}

export const ledgerDocuments: Readonly<Record<LedgerDocument, Words>> = {
  order: words('Order', 'Rendelés', 'Bestellung'),
  renewal: words('Renewal', 'Megújítás', 'Verlängerung'),
  modification: words('Server resize', 'Szerver átméretezése', 'Server-Anpassung'),
  payment: words('Payment', 'Fizetés', 'Zahlung'),
  grant: words('Gift', 'Jóváírt ajándék', 'Geschenk'),
  correction: words('Correction', 'Módosítás', 'Berichtigung'),
  refund: words('Refund', 'Visszatérítés', 'Erstattung'),
  premium: words('Premium', 'Prémium', 'Premium'),
  spins: words('Purchased spins', 'Vásárolt pörgetések', 'Gekaufte Drehungen'),
  spin: words('Prize wheel win', 'Nyeremény a szerencsekeréken', 'Gewinn am Glücksrad'),
}

export const providers: List = {
  sandbox: words('Payment sandbox', 'Próbafizetés', 'Testzahlung'),
  barion: words('Barion', 'Barion', 'Barion'),
  stripe: words('Stripe', 'Stripe', 'Stripe'),
  paypal: words('PayPal', 'PayPal', 'PayPal'),
  phone: words('Phone', 'Telefon', 'Telefon'),
  balance: words('Balance', 'Egyenleg', 'Guthaben'),
  staff: words('Manual', 'Kézi', 'Manuell'),
  bonus: words('Bonus', 'Bónusz', 'Bonus'),
  debt: words('Debt', 'Tartozás', 'Schulden'),
}

export const common = {
  customer: words('Customer', 'Ügyfél', 'Kunde'),
  amount: words('Amount', 'Összeg', 'Betrag'),
  amountFt: words('Amount in forints', 'Összeg forintban', 'Betrag in Forint'),
  when: words('Date', 'Dátum', 'Datum'),
  state: words('Status', 'Állapot', 'Status'),
  kind: words('Type', 'Típus', 'Art'),
  provider: words('Payment method', 'Fizetési mód', 'Zahlungsart'),
  reason: words('Reason', 'Indoklás', 'Begründung'),
  reasonHint: words(
    "At least 10 letters. It appears on the customer's statement.",
    'Legalább 10 betű. Az ügyfél a kivonatában olvassa.',
    'Mindestens 10 Buchstaben. Der Kunde liest es in seinem Auszug.',
  ),
  reasonOwn: words(
    'At least 10 letters, for the record.',
    'Legalább 10 betű, a nyilvántartásba kerül.',
    'Mindestens 10 Buchstaben, zur Dokumentation.',
  ),
  reasonShort: words(
    'The reason needs at least 10 letters.',
    'Az indokláshoz legalább 10 betű kell.',
    'Die Begründung braucht mindestens 10 Buchstaben.',
  ),
  act: words('Actions', 'Műveletek', 'Aktionen'),
  changed: words(
    'This is no longer possible, because it changed in the meantime. Check the list again.',
    'Ez már nem lehetséges: közben megváltozott. Nézd meg újra a listát.',
    'Das ist nicht mehr möglich: Es hat sich inzwischen geändert. Sieh die Liste noch einmal an.',
  ),
  all: words('All', 'Mind', 'Alle'),
  cancel: words('Cancel', 'Mégse', 'Abbrechen'),
  more: words('Show more', 'Továbbiak', 'Mehr anzeigen'),
  again: words('Try again', 'Újra', 'Erneut versuchen'),
  loading: words('Loading…', 'Betöltés…', 'Wird geladen…'),
  failed: words(
    "This didn't load. Nothing has changed.",
    'Ez nem töltődött be. Semmi sem változott.',
    'Das wurde nicht geladen. Nichts hat sich geändert.',
  ),
  unknown: words(
    "We don't know whether this was done. Don't change anything, and press the button again: it is done only once, however often you press.",
    'Nem tudni, hogy ez megtörtént-e. Ne módosíts semmit, és nyomd meg újra a gombot: akárhányszor nyomod, csak egyszer hajtódik végre.',
    'Es ist nicht bekannt, ob das ausgeführt wurde. Ändere nichts und drücke noch einmal: Es wird nur einmal ausgeführt, so oft du auch drückst.',
  ),
  from: words('From', 'Ettől', 'Von'),
  to: words('To', 'Eddig', 'Bis'),
  house: words('The company', 'A cég', 'Das Unternehmen'),
  gone: words('unknown', 'ismeretlen', 'unbekannt'),
  insufficient: words(
    "The customer's available balance isn't enough.",
    'Az ügyfél elérhető egyenlege nem elég.',
    'Das verfügbare Guthaben des Kunden reicht nicht.',
  ),
} as const
