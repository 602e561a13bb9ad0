import type { Block } from './rich-text.ts'

const hu: readonly Block[] = [
  {
    text: 'Ezek a feltételek a játékszerverek, a VPS-ek és a botok bérlésére vonatkoznak. A regisztrációval és minden rendeléssel elfogadod őket. A cégadatokat az oldal alján találod.',
  },
  { heading: 'A fiók' },
  {
    text: 'A fiókodat valós e-mail-címmel hozod létre, és te felelsz a jelszavadért. Ha illetéktelen belépést gyanítasz, változtasd meg a jelszavad, és jelentkezz ki minden eszközről.',
  },
  { heading: 'Egyenleg és fizetés' },
  {
    list: [
      'Az egyenleget forintban vezetjük, a legkisebb feltöltés 500 Ft. Az árak az áfát tartalmazzák.',
      'Egy hónap 30 napot jelent. A megújítás a korábbi lejárathoz adódik hozzá.',
      'Erőforrás módosításakor a különbözetet a hátralévő napokra számoljuk, 30 napos ciklussal. Csomagban bérelt szerver másik csomagra váltható: drágábbra azonnal, a különbözetért; olcsóbbra a következő megújításkor.',
      'Telefonos fizetéskor azt az összeget írjuk jóvá, amelyet a szolgáltató továbbít.',
    ],
  },
  { heading: 'A szerver' },
  {
    list: [
      'Ha a telepítés nem sikerül, a teljes összeg visszakerül az egyenlegedre.',
      'Lejáratkor a szerver leáll. Az adatait további 3 napig őrizzük meg, utána véglegesen töröljük.',
      'A szerver tartalmáért és a rajta futó programokért te felelsz. Mások rendszereinek támadása, jogsértő tartalom és kriptovaluta bányászata tilos.',
    ],
  },
  { heading: 'Elállás' },
  {
    text: 'Fogyasztóként 14 napon belül elállhatsz. Ha kéred, hogy a szolgáltatás azonnal induljon, a már igénybe vett napok arányos díja nem jár vissza. Ha a prémiumtól állsz el, levonjuk a felhasznált ingyenes pörgetések árát és a megtartott vásárlásaidra kapott kedvezményt.',
  },
  { heading: 'Panasz' },
  {
    text: 'Panaszodat az oldal alján megadott e-mail-címen fogadjuk, és 30 napon belül válaszolunk. Ha nem jutunk egyezségre, a lakóhelyed szerinti békéltető testülethez fordulhatsz.',
  },
]

const en: readonly Block[] = [
  {
    text: 'These terms cover renting game servers, VPS and bots. You accept them when you register and with every order. You find our company details at the foot of the page.',
  },
  { heading: 'The account' },
  {
    text: 'You register with a real e-mail address and are responsible for your password. If you suspect that somebody else signed in, change it and sign out on all devices.',
  },
  { heading: 'Balance and payment' },
  {
    list: [
      'The balance is kept in forints; the smallest top-up is 500 Ft. Prices include VAT.',
      'A month is 30 days. A renewal extends the server from its present expiry.',
      'When you change the resources, we charge the difference for the remaining days of a 30-day cycle. A server in a package can move to another package: to a more expensive one immediately, for the difference; to a cheaper one at the next renewal.',
      'When you pay by phone, we credit the amount that the carrier forwards.',
    ],
  },
  { heading: 'The server' },
  {
    list: [
      'If the installation fails, we return the whole amount to your balance.',
      'A server stops when it expires. We keep its data for 3 more days and then delete it for good.',
      'You are responsible for its content and for the programs that run on it. Attacks on other systems, unlawful content and cryptocurrency mining are forbidden.',
    ],
  },
  { heading: 'Withdrawal' },
  {
    text: 'As a consumer you may withdraw within 14 days. If you ask for the service to begin immediately, we do not refund the days already used. When you withdraw from Premium, we deduct the free spins that you used and the discounts on purchases that you keep.',
  },
  { heading: 'Complaints' },
  {
    text: 'Send complaints to the e-mail address at the foot of the page; we answer within 30 days. If we cannot agree, you can turn to the conciliation board where you live.',
  },
]

const de: readonly Block[] = [
  {
    text: 'Diese Bedingungen gelten für die Miete von Gameservern, VPS und Bots. Du nimmst sie bei der Registrierung und mit jeder Bestellung an. Die Firmendaten stehen am Fuß der Seite.',
  },
  { heading: 'Das Konto' },
  {
    text: 'Du registrierst dich mit einer echten E-Mail-Adresse und bist für dein Passwort verantwortlich. Wenn du vermutest, dass sich jemand anderes angemeldet hat, ändere es und melde dich auf allen Geräten ab.',
  },
  { heading: 'Guthaben und Zahlung' },
  {
    list: [
      'Das Guthaben wird in Forint geführt; die kleinste Aufladung beträgt 500 Ft. Die Preise enthalten die Mehrwertsteuer.',
      'Ein Monat hat 30 Tage. Eine Verlängerung wird an den bisherigen Ablauf angehängt.',
      'Werden Ressourcen geändert, wird der Unterschied für die restlichen Tage eines 30-Tage-Zyklus berechnet. Ein Server in einem Paket kann in ein anderes wechseln: in ein teureres sofort gegen den Unterschied, in ein günstigeres mit der nächsten Verlängerung.',
      'Bei Zahlung per Telefon schreiben wir den Betrag gut, den der Anbieter weiterleitet.',
    ],
  },
  { heading: 'Der Server' },
  {
    list: [
      'Schlägt die Installation fehl, kommt der ganze Betrag zurück auf dein Guthaben.',
      'Mit dem Ablauf stoppt der Server. Seine Daten bleiben noch 3 Tage und werden dann endgültig gelöscht.',
      'Für Inhalte und Programme auf dem Server bist du verantwortlich. Angriffe auf fremde Systeme, rechtswidrige Inhalte und das Schürfen von Kryptowährungen sind verboten.',
    ],
  },
  { heading: 'Widerruf' },
  {
    text: 'Als Verbraucher kannst du innerhalb von 14 Tagen widerrufen. Verlangst du, dass der Dienst sofort beginnt, werden die bereits genutzten Tage nicht erstattet. Beim Widerruf von Premium ziehen wir genutzte Freidrehungen ab und Rabatte auf Käufe, die du behältst.',
  },
  { heading: 'Beschwerden' },
  {
    text: 'Beschwerden nehmen wir unter der E-Mail-Adresse am Fuß der Seite an und antworten innerhalb von 30 Tagen. Einigen wir uns nicht, kannst du dich an die Schlichtungsstelle deines Wohnorts wenden.',
  },
]

export const terms = { en, hu, de }
