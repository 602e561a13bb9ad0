import type { CheckboxField, GlobalConfig, GroupField } from 'payload'
import { administrator } from '../access/administrator.ts'
import { groups } from '../fields/labels.ts'
import { words, type Words } from '../fields/languages.ts'
import { secretField } from '../fields/secret-field.ts'
import { wholeNumber } from '../fields/whole-number.ts'

const yesNo = (name: string, label: Words): CheckboxField => ({
  name,
  type: 'checkbox',
  required: true,
  defaultValue: true,
  label,
})

/**
 * People can link their Discord account once both are set. The Discord application must list `<site>/login` as a
 * redirect.
 */
const discord: GroupField = {
  name: 'discord',
  type: 'group',
  label: words('Discord link', 'Discord-összekapcsolás', 'Discord-Verknüpfung'),
  fields: [
    {
      name: 'clientId',
      type: 'text',
      maxLength: 40,
      label: words('Client ID', 'Kliensazonosító', 'Client-ID'),
    },
    secretField('clientSecret', words('Client secret', 'Kliens titkos kulcsa', 'Client-Secret')),
  ],
}

export const Settings: GlobalConfig = {
  slug: 'settings',
  label: words('Settings', 'Beállítások', 'Einstellungen'),
  admin: { group: groups.system },
  access: { read: administrator, update: administrator },
  fields: [
    {
      name: 'hostName',
      type: 'text',
      required: true,
      defaultValue: 'Bakter',
      maxLength: 60,
      label: words('Host name', 'A szolgáltató neve', 'Name des Anbieters'),
    },
    {
      name: 'killSwitches',
      type: 'group',
      label: words('Currently allowed', 'Jelenleg engedélyezve', 'Derzeit erlaubt'),
      fields: [
        yesNo('ordering', words('Ordering', 'Rendelés', 'Bestellungen')),
        yesNo('tickets', words('Tickets', 'Hibajegyek', 'Tickets')),
        yesNo('serverStart', words('Server start', 'Szerverek indítása', 'Server starten')),
        yesNo('couponUse', words('Coupons', 'Kuponok', 'Gutscheine')),
        yesNo('registration', words('Registration', 'Regisztráció', 'Registrierung')),
      ],
    },
    {
      name: 'shown',
      type: 'group',
      label: words('Shown on the summary', 'Az összegzésen látható', 'In der Übersicht sichtbar'),
      fields: [
        yesNo(
          'registeredUsers',
          words('Number of registered users', 'Regisztrált felhasználók száma', 'Zahl der registrierten Nutzer'),
        ),
      ],
    },
    {
      name: 'smtp',
      type: 'group',
      label: words('Outgoing e-mail', 'Kimenő levelek', 'Ausgehende E-Mail'),
      fields: [
        { name: 'host', type: 'text', maxLength: 200, label: words('Server', 'Kiszolgáló', 'Server') },
        wholeNumber('port', { required: false, min: 1, max: 65_535, label: words('Port', 'Port', 'Port') }),
        { name: 'username', type: 'text', maxLength: 200, label: words('Username', 'Felhasználónév', 'Benutzername') },
        secretField('password', words('Password', 'Jelszó', 'Passwort')),
        { name: 'from', type: 'email', label: words('Sender address', 'Feladó címe', 'Absenderadresse') },
        { name: 'name', type: 'text', maxLength: 80, label: words('Sender name', 'Feladó neve', 'Absendername') },
      ],
    },
    discord,
    wholeNumber('manualCreditLimitFt', {
      min: 0,
      max: 10_000_000,
      defaultValue: 10_000,
      label: words(
        'Limit for one administrator without approval, in forints',
        'Egy adminisztrátor által jóváhagyás nélkül mozgatható összeg, forintban',
        'Grenze für einen Administrator ohne Freigabe, in Forint',
      ),
      description: words(
        'Larger amounts need an approver. Everything one administrator moves for one customer within 24 hours counts together.',
        'E fölött jóváhagyó kell. Amit valaki egy ügyfélnél 24 órán belül mozgat, összeadódik.',
        'Größere Beträge brauchen eine Freigabe. Alles, was jemand bei einem Kunden binnen 24 Stunden bewegt, zählt zusammen.',
      ),
    }),
  ],
}
