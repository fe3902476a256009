export const en = {
  'user-name-format':
    'A user name has 2 to 30 letters, digits, dots, dashes or underscores, and begins with a letter or a digit',
  'user-name-taken': 'The user name {name} is already in use. Choose another',
  'user-email-taken': 'The e-mail address {email} already belongs to another user. Give another',
  'user-missing': 'This user does not exist (any more)',
  'user-forbidden': 'Only administrators may change other users',
  'user-last-admin': 'This is the last administrator. Make somebody else an administrator first',
  'nickname-length': 'A nickname has 2 to 20 characters',
  'email-length': 'An e-mail address has 6 to 30 characters',
  'email-format': 'This is not an e-mail address. It should look like name@example.com',

  'user-type-IDENTITY': 'Local',
  'user-type-LDAP': 'LDAP',
  'user-type-OAUTH': 'OAuth',
} as const
