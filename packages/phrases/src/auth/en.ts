/** Signing in, sessions, and the strength of passwords. */
export const en = {
  'login-refused':
    'The user name or the password is wrong. After several wrong passwords in a row the account is locked; an administrator can unlock it',
  'login-unapproved': 'This account waits for an administrator to approve it',
  'login-not-imported': 'This directory user is not imported yet. Ask an administrator to import the account',
  'login-disabled': 'This account is disabled. Ask an administrator to enable it',
  'login-locked': 'This account is locked after too many wrong passwords. Ask an administrator to unlock it',
  'login-inactive':
    'This account is blocked because nobody signed in with it for {days} days. Ask an administrator to unlock it',
  'login-slowed': 'Too many sign-ins from your address failed. Wait {seconds} seconds and try again',
  'login-busy': 'Too many people are signing in at this moment. Wait a few seconds and try again',

  'password-old-wrong': 'The current password is wrong. Several wrong passwords in a row lock the account',
  'password-same': 'The new password equals the current one. Choose another',
  'password-foreign':
    'Only the user can change this password. If it is lost, an administrator can reset it on the server with “npm run admin -- reset-password”',
  'password-elsewhere': 'This account signs in with {type}. Change its password there',

  'password-days': 'A password is valid for 7 to 730 days: a whole number',
  'login-retries': 'Between 3 and 10 wrong passwords can be allowed: a whole number',

  'register-off': 'Registration is switched off here. Ask an administrator for an account',
  'register-slowed': 'Too many registrations were tried from your address. Wait {minutes} minutes and try again',
  'register-full': 'Too many registrations wait for an administrator. Ask one to look at them',

  'session-missing': 'This session has ended already',

  'rescue-usage': 'Usage: npm run admin -- {commands} <user name or e-mail address>, or npm run admin -- {own}',
  'rescue-unknown': 'There is no user {name}',
  'rescue-ambiguous': '{count} users are called {name}. Give the e-mail address',
  'rescue-not-local': '{name} signs in with a directory. Reset the password there',
  'rescue-unbanned': '{name} can sign in again',
  'rescue-password': 'The new password of {name} is {password} and must be changed at the next login',
  'rescue-admin': '{name} is an administrator now',
} as const
