import { ifBuilt } from '#contracts/features.ts'
import { words } from '../../fields/languages.ts'

const hero = {
  title: words(
    'Game servers from {price} a month.',
    'Játékszerver havi {price}-tól.',
    'Gameserver ab {price} im Monat.',
  ),
  text: words(
    'Pick a game, set its size, and it is ready in seconds. From then on a single lamp shows how your server is doing: running, starting, or in trouble.',
    'Kiválasztod a játékot, beállítod a méretet, és pár másodperc múlva kész. Onnantól egyetlen lámpa mutatja, hogy áll a szervered: fut, indul vagy bajban van.',
    'Spiel aussuchen, Größe einstellen, und in Sekunden ist er bereit. Von da an zeigt dir eine einzige Lampe, wie es deinem Server geht: Er läuft, startet oder hat ein Problem.',
  ),
  callToAction: words('Start a server', 'Szerver indítása', 'Server starten'),
}

const products = {
  title: words('Choose your server', 'Válassz szervert', 'Server zur Auswahl'),
  text: words(
    'Prices are per month and include VAT. You pay from your balance and see the total before you order.',
    'Az árak egy hónapra szólnak, áfával. Az egyenlegedből fizetsz, és rendelés előtt látod a végösszeget.',
    'Die Preise gelten für einen Monat, inklusive Mehrwertsteuer. Bezahlt wird aus dem Guthaben, und die Summe siehst du vor der Bestellung.',
  ),
}

const whyUs = [
  {
    icon: 'test',
    title: words('Try it first', 'Előbb kipróbálod', 'Erst ausprobieren'),
    text: words(
      'Write to us and you get a test server for one day. Free.',
      'Írj nekünk, és kapsz egy tesztszervert egy napra. Ingyen.',
      'Schreib uns, und du bekommst für einen Tag einen Testserver. Kostenlos.',
    ),
  },
  {
    icon: 'payment',
    title: words('Pay your way', 'Ahogy neked jó, úgy fizetsz', 'Bezahlen, wie du willst'),
    text: words(
      'Card, Apple Pay, phone call or SMS. Your balance is kept in forints; transactions and invoices are in one place.',
      'Bankkártya, Apple Pay, telefonhívás vagy SMS. Az egyenlegedet forintban vezetjük, a tranzakcióidat és a számláidat egy helyen találod.',
      'Karte, Apple Pay, Anruf oder SMS. Dein Guthaben führen wir in Forint; Zahlungen und Rechnungen findest du an einem Ort.',
    ),
  },
  {
    icon: 'bandwidth',
    title: words('1 Gbit/s for every machine', 'Gépenként 1 Gbit/s', '1 Gbit/s für jede Maschine'),
    text: words(
      'Enough for a full server on a Friday night, with 99.9% availability.',
      'Péntek esti teltházhoz is elég, 99,9%-os rendelkezésre állás mellett.',
      'Genug für einen vollen Server am Freitagabend, bei 99,9 % Verfügbarkeit.',
    ),
  },
  ...ifBuilt('saves', {
    icon: 'backup',
    title: words('Backups you can count on', 'A mentés nem marad el', 'Sicherungen, die es wirklich gibt'),
    text: words(
      'Make one any time, lock the one that matters, download or restore it. We notify you when it is ready.',
      'Készíts mentést bármikor, zárold a fontosat, töltsd le vagy állítsd vissza. Szólunk, ha kész.',
      'Sichere jederzeit, sperre, was wichtig ist, lade es herunter oder stelle es wieder her. Wir sagen dir Bescheid, wenn sie fertig ist.',
    ),
  }),
  ...ifBuilt('users', {
    icon: 'support',
    title: words("You don't have to run it alone", 'Nem egyedül üzemelteted', 'Du musst es nicht allein machen'),
    text: words(
      'Invite your crew and decide, permission by permission, who can start it, read the console or change files.',
      'Hívd meg a társaidat, és jogonként döntsd el, ki indíthat, ki olvashatja a konzolt, ki nyúlhat a fájlokhoz.',
      'Hol dein Team dazu und entscheide Recht für Recht, wer starten, die Konsole lesen oder Dateien ändern darf.',
    ),
  }),
  {
    icon: 'control',
    title: words('It grows with you', 'Nő veled', 'Er wächst mit'),
    text: words(
      'Out of memory? Pay the difference for the remaining days only.',
      'Kevés lett a memória? A különbözetet csak a hátralévő napokra számoljuk.',
      'Der Speicher wird knapp? Du zahlst den Unterschied nur für die verbleibenden Tage.',
    ),
  },
]

const partners = [
  {
    name: 'Tölgyes Survival',
    description: words('Minecraft community', 'Minecraft-közösség', 'Minecraft-Community'),
  },
  { name: 'Zsilip RP', description: words('FiveM roleplay', 'FiveM-szerepjáték', 'FiveM-Rollenspiel') },
  { name: 'Hetes Őrjárat', description: words('Arma squad', 'Arma-csapat', 'Arma-Trupp') },
  { name: 'Nádas Liga', description: words('CS:GO team', 'CS:GO-csapat', 'CS:GO-Team') },
  { name: 'Rácsminta', description: words('Web design', 'Webdizájn', 'Webdesign') },
]

const dashboard = {
  title: words('One panel for every server', 'Egy vezérlőpult minden szerverhez', 'Ein Panel für jeden Server'),
  text: words(
    'Console, statistics and settings, in the same place on every server. On your phone too.',
    'Konzol, statisztika és beállítások: minden szerveren ugyanott találod őket. Telefonon is.',
    'Konsole, Statistik und Einstellungen, bei jedem Server am selben Ort. Auch auf dem Handy.',
  ),
}

const registry = {
  companyName: 'Minta Szolgáltató Kft.',
  seat: '1000 Budapest, Minta utca 1.',
  registrationNumber: '00-00-000000',
  taxNumber: '00000000-0-00',
  email: 'ugyfelszolgalat@example.com',
  phone: '+36 1 000 0000',
  dataProtectionNumber: 'NAIH-000000',
}

const webDesign = {
  name: 'Rácsminta',
  url: 'https://example.com/',
  text: words('Need a website too?', 'Weboldal is kellene?', 'Brauchst du auch eine Website?'),
}

/** The landing page as the demo shows it; company, partners and addresses are samples. */
export const landing = { hero, products, whyUs, partners, dashboard, registry, banners: { webDesign } }
