import { ifBuilt } from '#contracts/features.ts'
import { words } from '../../fields/languages.ts'

/** Questions of the landing page; amounts carry a no-break space between number and unit. */
export const questions = [
  {
    question: words(
      'How do I get a free test server?',
      'Hogyan kapok ingyenes tesztszervert?',
      'Wie bekomme ich einen kostenlosen Testserver?',
    ),
    answer: words(
      'Register and write to us which game you would like to try. The test server runs for one day and costs nothing.',
      'Regisztrálsz, és megírod nekünk, melyik játékot próbálnád ki. A tesztszerver egy napig él, és nem kerül semmibe.',
      'Registriere dich und schreib uns, welches Spiel du ausprobieren möchtest. Der Testserver läuft einen Tag und kostet nichts.',
    ),
  },
  {
    question: words('How can I pay?', 'Mivel fizethetek?', 'Wie kann ich bezahlen?'),
    answer: words(
      'By card, Apple Pay, phone call or SMS. Your payment goes to your balance; you rent and renew from it. The smallest top-up is 500 Ft.',
      'Bankkártya, Apple Pay, telefonhívás és SMS közül választhatsz. A befizetés az egyenlegedre kerül, onnan bérelsz és újítasz meg. A legkisebb feltöltés 500 Ft.',
      'Mit Karte, Apple Pay, Anruf oder SMS. Die Zahlung landet auf deinem Guthaben, aus dem du mietest und verlängerst. Die kleinste Aufladung beträgt 500 Ft.',
    ),
  },
  {
    question: words(
      'Why is less credited when I pay by phone?',
      'Miért kevesebb a jóváírás, ha telefonnal fizetek?',
      'Warum wird beim Bezahlen per Telefon weniger gutgeschrieben?',
    ),
    answer: words(
      'Because we credit what the carrier forwards, and the carrier keeps part of the charge. Example: paying 1,905 Ft adds 800 Ft to your balance.',
      'Mert azt írjuk jóvá, amit a telefonszolgáltató továbbít, és ő a díj egy részét megtartja. Példa: 1 905 Ft kifizetéséből 800 Ft kerül az egyenlegedre.',
      'Weil wir gutschreiben, was der Anbieter weiterleitet, und der behält einen Teil. Beispiel: Von 1.905 Ft kommen 800 Ft auf dein Guthaben.',
    ),
  },
  {
    question: words(
      'What happens when my server expires?',
      'Mi történik, ha lejár a szerverem?',
      'Was passiert, wenn mein Server abläuft?',
    ),
    answer: words(
      'It stops, but its data stays for 3 more days. During that time you can renew it for 1 to 6 months from its settings. After that we delete it for good.',
      'Leáll, de az adatai még 3 napig megmaradnak. Ezalatt a beállításoknál 1–6 hónapra megújíthatod. Utána végleg töröljük.',
      'Er stoppt, aber seine Daten bleiben noch 3 Tage. So lange kannst du ihn in den Einstellungen um 1 bis 6 Monate verlängern. Danach wird er endgültig gelöscht.',
    ),
  },
  {
    question: words('Can I resize it later?', 'Átméretezhetem később?', 'Kann ich die Größe später ändern?'),
    answer: words(
      'Yes, in its settings. You pay the difference for the remaining days of a 30-day cycle. A server in a package moves to another package: to a larger one immediately, to a cheaper one at the next renewal.',
      'Igen, a beállításoknál. A különbözetet a hátralévő napokra, 30 napos ciklussal számoljuk. Csomagban bérelt szerver másik csomagra vált: nagyobbra azonnal, olcsóbbra a következő megújításkor.',
      'Ja, in den Einstellungen. Der Unterschied wird für die restlichen Tage eines 30-Tage-Zyklus berechnet. Ein Server in einem Paket wechselt in ein anderes: in ein größeres sofort, in ein günstigeres mit der nächsten Verlängerung.',
    ),
  },
  ...ifBuilt('users', {
    question: words(
      'Can I let my crew into the panel?',
      'Beengedhetem a társaimat a vezérlőpultra?',
      'Kann ich mein Team ins Panel lassen?',
    ),
    answer: words(
      'Yes. Invite them by e-mail (they need an account too) and decide what they can see and do.',
      'Igen. E-mail-címmel hívod meg őket (nekik is legyen fiókjuk), és te döntöd el, mit láthatnak és mit tehetnek.',
      'Ja. Lade sie per E-Mail ein (sie brauchen auch ein Konto) und entscheide, was sie sehen und tun dürfen.',
    ),
  }),
  ...ifBuilt('vps', {
    question: words('What do I need for a VPS?', 'Mi kell egy VPS-hez?', 'Was brauche ich für einen VPS?'),
    answer: words(
      "Choose an operating system and add your public SSH key. The order can't start without a valid key.",
      'Választasz egy operációs rendszert, és megadod a nyilvános SSH-kulcsodat. Érvényes kulcs nélkül a rendelés nem indul el.',
      'Wähle ein Betriebssystem und gib deinen öffentlichen SSH-Schlüssel an. Ohne gültigen Schlüssel startet die Bestellung nicht.',
    ),
  }),
]
