export const en = {
  'mail-host': 'Give the mail server as a host name or an address, without a scheme or a path',
  'mail-address-length': 'An e-mail address has at most 254 characters',
  'mail-not-set': 'Mail is not set up yet. Enter the mail server first.',
  'mail-password-again': 'The password belongs to another server or user. Enter it again.',
  'mail-wrong-password':
    '{host} refuses the user name or the password. It answers: {answer}. Check both; some servers want a password for apps.',
  'mail-recipient-refused': '{host} refuses the recipient {to}. It answers: {answer}',
  'mail-sender-refused': '{host} refuses the sender. It answers: {answer}. Use an address that it may send from.',
  'mail-refused': '{host} refuses the mail. It answers: {answer}',
  'mail-later': '{host} takes no mail at the moment. It answers: {answer}',
  'mail-no-tls': '{host} does not speak TLS as it was asked to. Choose another security, or another port.',
  'mail-broken': '{host} broke the connection off or does not speak SMTP. Check the address and the port.',
  'mail-given-up': 'It could not be delivered within 24 hours. The last reason: {reason}',
} as const
