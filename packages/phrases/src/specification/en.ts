/** Keys that the specification spells, its misspellings included. */
export const en = {
  'input-userinfo': 'Enter the user name and the password',
  'user-Unknown-team': 'You are not in any team yet. Ask an administrator to add you to one',
  'valid-old-pwd': 'Enter the current password',
  'valid-new-pwd': 'Enter a new password',
  'valid-pwd-count': 'A password has 6 to 20 characters',
  'valid-pwd-strenght': 'This password is too easy to guess. Make it longer, or less like a word',
  'valid-write-new-pwd': 'Repeat the new password',
  'valid-pwd-diff': 'The two passwords differ',
} as const
