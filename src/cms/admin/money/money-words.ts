import type { LedgerDocument } from '#contracts/http/staff-money.ts'
import { words, type Words } from '../../fields/languages.ts'

type List = Readonly<Record<string, Words>>

export const transactionTypes: List = {
  'top-up': words('Top-up', 'Feltöltés', 'Aufladung'),
  order: words('Order', 'Rendelés', 'Bestellung'),
  renewal: words('Renewal', 'Megújítás', 'Verlängerung'),
  'server modification': words('Server change', 'Szervermódosítás', 'Serveränderung'),
  premium: words('Premium', 'Prémium', 'Premium'),
  spin: words('Spins', 'Pörgetés', 'Drehungen'),
  prize: words('Prize', 'Nyeremény', 'Gewinn'),
  coupon: words('Coupon', 'Kupon', 'Gutschein'),
  refund: words('Refund', 'Visszatérítés', 'Rückzahlung'),
  correction: words('Correction', 'Módosítás', 'Berichtigung'),
}

export const transactionStates: List = {
  processing: words('Processing', 'Folyamatban', 'In Bearbeitung'),
  finished: words('Finished', 'Kész', 'Abgeschlossen'),
  failed: words('Failed', 'Sikertelen', 'Fehlgeschlagen'),
}

export const standings: List = {
  created: words('Begun', 'Elkezdve', 'Begonnen'),
  pending: words('Waiting for the provider', 'A szolgáltatóra vár', 'Wartet auf den Anbieter'),
  requires_action: words('Waiting for the customer', 'Az ügyfélre vár', 'Wartet auf den Kunden'),
  failed: words('Failed', 'Sikertelen', 'Fehlgeschlagen'),
  expired: words('Expired', 'Lejárt', 'Abgelaufen'),
  settled: words('Arrived', 'Megérkezett', 'Eingegangen'),
  partially_refunded: words('Partly sent back', 'Részben visszatérítve', 'Teilweise zurückgezahlt'),
  refunded: words('Sent back', 'Visszatérítve', 'Zurückgezahlt'),
  disputed: words('Disputed', 'Vitatott', 'Beanstandet'),
  charged_back: words('Taken back by the bank', 'A bank visszavette', 'Von der Bank zurückgeholt'),
}

export const refundStates: List = {
  requested: words('Begun', 'Elkezdve', 'Begonnen'),
  pending: words('On its way', 'Úton', 'Unterwegs'),
  succeeded: words('Sent back', 'Visszaküldve', 'Zurückgesendet'),
  failed: words('Refused by the provider', 'A szolgáltató elutasította', 'Vom Anbieter abgelehnt'),
  proposed: words('Waiting for a second person', 'Második emberre vár', 'Wartet auf eine zweite Person'),
}

export const disputes: List = {
  open: words('Open', 'Folyamatban', 'Offen'),
  lost: words('Lost', 'Elveszett', 'Verloren'),
  won: words('Won', 'Megnyerve', 'Gewonnen'),
}

export const takenBackKinds: List = {
  dispute: words('By the bank', 'A bank vette vissza', 'Von der Bank'),
  refund: words('Refunded at the provider', 'A szolgáltatónál visszatérítve', 'Beim Anbieter zurückgezahlt'),
}

export const takenBackStates: List = {
  taken: words('Taken', 'Levonva', 'Genommen'),
  won: words('Won, given back', 'Megnyerve, visszaadva', 'Gewonnen, zurückgegeben'),
  returned: words(
    'Failed at the bank, given back',
    'A banknál meghiúsult, visszaadva',
    'Bei der Bank gescheitert, zurückgegeben',
  ),
}

export const documentForms: List = {
  electronic: words('Invoice', 'Számla', 'Rechnung'),
  receipt: words('Receipt', 'Nyugta', 'Beleg'),
}

export const documentStates: List = {
  issued: words('Issued', 'Kiállítva', 'Ausgestellt'),
  paid: words('Paid', 'Fizetve', 'Bezahlt'),
  storno: words('Taken back', 'Sztornózva', 'Storniert'),
  corrected: words('Corrected', 'Helyesbítve', 'Korrigiert'),
}

export const problems: List = {
  UNKNOWN_PAYMENT: words('Belongs to no payment', 'Nem tartozik fizetéshez', 'Gehört zu keiner Zahlung'),
  AMOUNT_MISMATCH: words('Another amount', 'Eltérő összeg', 'Anderer Betrag'),
  CURRENCY_MISMATCH: words('Another currency', 'Eltérő pénznem', 'Andere Währung'),
  REFERENCE_MISMATCH: words('Another reference', 'Eltérő közlemény', 'Andere Referenz'),
  SECOND_SETTLEMENT: words('Paid twice', 'Kétszer fizetve', 'Doppelt bezahlt'),
  FOREIGN_REFUND: words('Sent back at the provider', 'A szolgáltatónál visszatérítve', 'Beim Anbieter zurückgezahlt'),
  ERASED_ACCOUNT: words('The account is erased', 'A fiók törölve', 'Das Konto ist gelöscht'),
}

export const unmatchedStates: List = {
  open: words('Waits for a decision', 'Döntésre vár', 'Wartet auf eine Entscheidung'),
  assigned: words('Assigned', 'Hozzárendelve', 'Zugeordnet'),
  dismissed: words('Put away', 'Elvetve', 'Verworfen'),
}

export const proposalStates: List = {
  open: words('Waits for a second person', 'Második emberre vár', 'Wartet auf eine zweite Person'),
  confirmed: words('Confirmed', 'Jóváhagyva', 'Bestätigt'),
  refused: words('Refused', 'Elutasítva', 'Abgelehnt'),
  expired: words('Expired', 'Lejárt', 'Abgelaufen'),
}

export const buckets: List = {
  money: words('Money', 'Valódi pénz', 'Geld'),
  bonus: words('Bonus', 'Bónusz', 'Bonus'),
}

export const directions: List = {
  credit: words('Credit (give)', 'Jóváírás (hozzáad)', 'Gutschrift (geben)'),
  debit: words('Debit (take)', 'Terhelés (elvesz)', 'Belastung (nehmen)'),
}

export const accountKinds: List = {
  user_wallet: words('Customer: money', 'Ügyfél: pénz', 'Kunde: Geld'),
  user_bonus: words('Customer: bonus', 'Ügyfél: bónusz', 'Kunde: Bonus'),
  user_debt: words('Customer: debt', 'Ügyfél: tartozás', 'Kunde: Schulden'),
  provider_clearing: words('Due from providers', 'Szolgáltatóknál lévő pénz', 'Offen bei Anbietern'),
  provider_fee: words('Fees of providers', 'Szolgáltatói díjak', 'Gebühren der Anbieter'),
  revenue: words('Revenue', 'Árbevétel', 'Umsatz'),
  vat_payable: words('VAT to be paid', 'Fizetendő áfa', 'Abzuführende Umsatzsteuer'),
  promotion: words('Cost of gifts', 'Ajándékok költsége', 'Kosten von Geschenken'),
  rounding: words('Rounding', 'Kerekítés', 'Rundung'),
  refunds_out: words('Refunds on their way', 'Úton lévő visszatérítések', 'Rückzahlungen unterwegs'),
  manual_adjustment: words('Corrections by hand', 'Kézi módosítások', 'Manuelle Berichtigungen'),
  chargeback_loss: words('Losses to banks', 'Banki visszavételek vesztesége', 'Verluste an Banken'),
}

export const ledgerDocuments: Readonly<Record<LedgerDocument, Words>> = {
  order: words('Order', 'Rendelés', 'Bestellung'),
  renewal: words('Renewal', 'Megújítás', 'Verlängerung'),
  modification: words('Server change', 'Szervermódosítás', 'Serveränderung'),
  payment: words('Payment', 'Fizetés', 'Zahlung'),
  grant: words('Gift', 'Jóváírt ajándék', 'Geschenk'),
  correction: words('Correction', 'Módosítás', 'Berichtigung'),
  refund: words('Refund', 'Visszatérítés', 'Rückzahlung'),
  premium: words('Premium', 'Prémium', 'Premium'),
  spins: words('Bought spins', 'Vásárolt pörgetések', 'Gekaufte Drehungen'),
  spin: words('Prize of the wheel', 'A kerék nyereménye', 'Gewinn des Glücksrads'),
}

export const providers: List = {
  sandbox: words('Sandbox', 'Próbafizetés', 'Testzahlung'),
  barion: words('Barion', 'Barion', 'Barion'),
  stripe: words('Stripe', 'Stripe', 'Stripe'),
  paypal: words('PayPal', 'PayPal', 'PayPal'),
  phone: words('Phone', 'Telefon', 'Telefon'),
  balance: words('Balance', 'Egyenleg', 'Guthaben'),
  staff: words('By hand', 'Kézi', 'Von Hand'),
  bonus: words('Bonus', 'Bónusz', 'Bonus'),
  debt: words('Debt', 'Tartozás', 'Schulden'),
}

export const common = {
  customer: words('Customer', 'Ügyfél', 'Kunde'),
  amount: words('Amount', 'Összeg', 'Betrag'),
  amountFt: words('Amount in forints', 'Összeg forintban', 'Betrag in Forint'),
  when: words('When', 'Mikor', 'Wann'),
  state: words('State', 'Állapot', 'Status'),
  kind: words('Type', 'Típus', 'Art'),
  provider: words('Way of paying', 'Fizetési mód', 'Zahlungsart'),
  reason: words('Reason', 'Indoklás', 'Begründung'),
  reasonHint: words(
    'At least 10 letters. The customer reads it in the statement.',
    'Legalább 10 betű. Az ügyfél a kivonatában olvassa.',
    'Mindestens 10 Buchstaben. Der Kunde liest es in seinem Auszug.',
  ),
  reasonOwn: words(
    'At least 10 letters, for whoever looks at it later.',
    'Legalább 10 betű, annak, aki később megnézi.',
    'Mindestens 10 Buchstaben, für alle, die es später ansehen.',
  ),
  reasonShort: words(
    'The reason needs at least 10 letters.',
    'Az indokláshoz legalább 10 betű kell.',
    'Die Begründung braucht mindestens 10 Buchstaben.',
  ),
  act: words('What to do', 'Teendő', 'Zu tun'),
  changed: words(
    'This is not possible any more: it changed meanwhile. Look at the list again.',
    'Ez már nem lehetséges: közben megváltozott. Nézd meg újra a listát.',
    'Das ist nicht mehr möglich: Es hat sich inzwischen geändert. Sieh die Liste noch einmal an.',
  ),
  all: words('All', 'Mind', 'Alle'),
  cancel: words('Cancel', 'Mégse', 'Abbrechen'),
  more: words('Show more', 'Továbbiak', 'Mehr anzeigen'),
  again: words('Try again', 'Újra', 'Erneut versuchen'),
  loading: words('Loading…', 'Betöltés…', 'Wird geladen…'),
  failed: words(
    'This cannot be read now. Nothing has changed.',
    'Ez most nem olvasható be. Semmi sem változott.',
    'Das kann gerade nicht gelesen werden. Nichts hat sich geändert.',
  ),
  unknown: words(
    'It is not known whether this was done. Change nothing and press the button again: it is done once, however often you press.',
    'Nem tudni, hogy ez megtörtént-e. Ne módosíts semmit, és nyomd meg újra a gombot: akárhányszor nyomod, csak egyszer hajtódik végre.',
    'Es ist nicht bekannt, ob das ausgeführt wurde. Ändere nichts und drücke noch einmal: Es wird nur einmal ausgeführt, so oft du auch drückst.',
  ),
  from: words('From', 'Ettől', 'Von'),
  to: words('To', 'Eddig', 'Bis'),
  house: words('The house', 'A cég', 'Das Haus'),
  gone: words('unknown', 'ismeretlen', 'unbekannt'),
  insufficient: words(
    "The customer's free balance cannot give this much.",
    'Az ügyfél szabad egyenlege ennyit nem fedez.',
    'Das freie Guthaben des Kunden reicht dafür nicht.',
  ),
} as const
