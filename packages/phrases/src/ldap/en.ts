export const en = {
  // The form
  'ldap-url':
    'This is not the address of a directory. It looks like ldap://host:389 or ldaps://host:636, without a path.',
  'ldap-attribute': 'The name of an attribute has letters, digits and dashes, and begins with a letter',
  'ldap-base-required': 'Enter where the users are, for example ou=people,dc=example,dc=org',
  'ldap-dn': 'This is not a distinguished name (DN). It looks like ou=people,dc=example,dc=org.',
  'ldap-start-tls-ldaps': 'An ldaps:// address is encrypted from the start: switch StartTLS off, or use ldap://.',
  'ldap-ca': 'This is not a certificate in PEM. It begins with -----BEGIN CERTIFICATE-----.',
  'ldap-password-required': 'Enter the password of the account that searches',
  'ldap-password-again': 'Address or account have changed: enter the password again. It is not sent to another server.',
  'ldap-name-taken': 'There is already a directory named {name}. Choose another name',
  'ldap-mapping-team': 'The team of this mapping does not exist (any more). Choose another',
  'ldap-mapping-role': 'The team has no such role (any more). Choose another',
  'group-required': 'Enter a group',

  // A filter that is none
  'ldap-filter-open': 'The filter is wrong at character {at}: an opening parenthesis is expected',
  'ldap-filter-close': 'The filter is wrong at character {at}: a closing parenthesis is expected',
  'ldap-filter-rest':
    'The filter ends before character {at}: what follows is too much. Put several parts into (&…) or (|…)',
  'ldap-filter-attribute': 'The filter is wrong at character {at}: the name of an attribute is expected',
  'ldap-filter-comparison': 'The filter is wrong at character {at}: =, >=, <= or ~= is expected',
  'ldap-filter-escape':
    'The filter is wrong at character {at}: after a backslash come two hexadecimal digits, as \\2a for *',
  'ldap-filter-star':
    'The filter is wrong at character {at}: a * cannot stand here. Write \\2a for the character itself',
  'ldap-filter-deep': 'The filter is nested too deeply at character {at}',

  // What a directory answers, or does not
  'ldap-address-refused':
    '{host} cannot be used: it lies on this machine or in a reserved network. Whoever runs Gantry can open it with GANTRY_OUTBOUND_ALLOW.',
  'ldap-unknown-host':
    'The host name of {host} is unknown. Check its spelling, or ask whether this server can resolve it.',
  'ldap-unreachable':
    '{host} refuses the connection or cannot be reached. Check the address and the port, and whether the directory runs.',
  'ldap-timeout': '{host} did not answer in time. Try again, or check whether a firewall stands between.',
  'ldap-closed':
    '{host} ended the connection without an answer. Check that a directory listens at this port, and whether it wants ldaps://.',
  'ldap-not-ldap': 'What answers at {host} is not an LDAP directory. Check the address and the port.',
  'ldap-broken': 'The connection to {host} broke. Check the address and the port, and try again.',
  'ldap-too-large': 'The answer of {host} is larger than allowed and was not read. Narrow the base or the filter.',
  'ldap-tls': 'No secure connection to {host} can be made ({reason}). Check its TLS settings.',
  'ldap-tls-expired': 'The certificate of {host} has expired or is not valid yet. Renew it there.',
  'ldap-tls-name': 'The certificate of {host} is made out to another name. Use the name that it carries.',
  'ldap-tls-untrusted':
    'The certificate of {host} is not signed by an authority that is trusted here. Enter the certificate of its authority.',
  'ldap-tls-missing': '{host} does not speak TLS at this port. Use ldap:// with StartTLS, or the port for ldaps://.',
  'ldap-start-tls-unsupported': '{host} does not offer StartTLS. Use ldaps://, or have StartTLS set up there.',
  'ldap-tls-needed': '{host} wants an encrypted connection. Switch StartTLS on, or use ldaps://.',
  'ldap-bind-refused': '{host} refuses the account {what} or its password. Check both.',
  'ldap-base-missing': '{what} does not exist at {host}, or the account that searches may not see it.',
  'ldap-no-right': 'The account that searches may not read {what} at {host}. Have it given the right.',
  'ldap-referral':
    '{host} sends requests for {what} on to another directory, which is not followed. Enter that directory itself.',
  'ldap-busy': '{host} is busy or shutting down. Try again later.',
  'ldap-result': '{host} refuses ({status}): {text}',
  'ldap-no-users':
    'No entry below {what} at {host} matches the filter for users. Check base and filter, and what the account that searches may see.',
  'ldap-attribute-missing':
    'None of the users found has the attribute {attribute}. Check its spelling, and what the account that searches may see.',

  // Signing in
  'ldap-off': 'This directory is switched off. Choose another way to sign in, or ask an administrator.',
  'ldap-choose': 'Choose a directory',
  'ldap-login-timeout': '{name} did not answer in time. Try again, or choose another way to sign in.',
  'ldap-login-down':
    '{name} cannot be used for signing in at the moment. Choose another way, or tell an administrator, who sees the cause in the list of directories.',

  // Why an account was disabled
  'ldap-barred-gone': 'No longer found in the directory',
  'ldap-barred-disabled': 'Disabled in the directory',
  'ldap-barred-off': 'The directory is switched off',

  // Searching and importing
  'ldap-in-use': '{count} users come from {name}. Delete them first, or delete the directory together with them.',
  'ldap-import-duplicate': 'has an account already',
  'ldap-import-twice': 'is in the list more than once',
  'ldap-import-missing': 'is not in the directory, or the filter for users leaves it out',
  'ldap-import-dn': 'is not a distinguished name',
  'ldap-import-name': 'has no attribute {attribute}, which the user name comes from',
  'ldap-import-failed': 'could not be saved; the log tells why',
} as const
