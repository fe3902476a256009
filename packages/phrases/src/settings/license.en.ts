/** Licenses of those who distribute or operate the product; the product itself needs none. */
export const en = {
  'license-no-issuer':
    'This installation takes no licenses and needs none. Whoever issues licenses for it sets GANTRY_LICENSE_KEY on the server first.',
  'license-malformed':
    'This is not a license. Paste all of the text that the issuer gave you: three parts, separated by dots.',
  'license-issuer':
    'This license was issued by someone else. Ask the issuer of this installation’s licenses for one, or have GANTRY_LICENSE_KEY on the server checked.',
  'license-signature':
    'The signature does not match: the license was changed, or not copied as a whole. Paste it again, or ask the issuer for a new one.',
  'license-early': 'This license is valid only from {time}. Check the clock of the server, or enter the license then.',
  'license-over': 'This license expired at {time}. Ask the issuer for a new one.',
  'license-key-kind': 'The file holds another kind of key: a private key of Ed25519 is needed',
  'license-command-usage':
    'Usage: npm run admin -- license key <new file>, or npm run admin -- license sign <private key file> <holder> <YYYY-MM-DD> [notes] [limit=value]',
  'license-command-file': '{file}: {reason}',
  'license-command-date': '“{until}” is not a date: write it as YYYY-MM-DD',
  'license-command-key':
    'The private key {id} is in {file}: keep it where nobody else reads it.\nServers take its licenses with GANTRY_LICENSE_KEY={key}',

  // Screen
  'license-ui-tab': 'License',
  'license-ui-about':
    'Gantry is open source under Apache-2.0 and needs no license. Whoever distributes or operates an installation may issue one for it; when it expires, everyone is told, and nothing stops working.',
  'license-ui-none-needed': 'This installation takes no licenses: it is complete as it is.',
  'license-ui-none': 'No license has been entered.',
  'license-ui-state': 'State',
  'license-ui-valid': 'Valid',
  'license-ui-expiring': 'Expires soon',
  'license-ui-expired': 'Expired',
  'license-ui-holder': 'Holder',
  'license-ui-issued': 'Issued',
  'license-ui-expires': 'Expires',
  'license-ui-notes': 'Notes',
  'license-ui-issuer': 'Key of the issuer',
  'license-ui-text': 'New license',
  'license-ui-text-help': 'The text from the issuer. It is verified before it replaces the current license.',
  'license-ui-remove': 'Remove license',
  'license-ui-remove-title': 'Remove the license of {holder}?',
  'license-ui-remove-memo': 'Nobody is told about its expiry any more. Nothing else changes.',
} as const
