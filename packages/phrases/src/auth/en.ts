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

  'auth-provider-denied': 'The login was cancelled at the provider, or it does not let you in here',
  'auth-provider-says': 'The provider refused the login: {error}',
  'auth-oauth-with': 'Log in with {name}',
  'auth-expired-title': 'Your password has expired',
  'auth-expired-memo':
    'Your password is older than the rules of this installation allow. Click next to choose another; what you may do stays the same.',
  'auth-relogin-expired':
    'Your password must be changed first. Leave, log in, and change it; what you typed here is not kept',
  'auth-password-again': 'Password again',
  'auth-register-approval': 'An administrator then approves it and adds you to a team.',
  'auth-registered-title': 'One more step',
  'auth-registered-memo':
    'Your account is made and waits for an administrator. Once it is approved you can log in with the password that you chose.',

  'auth-sessions': 'Where you are signed in',
  'auth-sessions-about': 'End a login that you do not know, and change your password then.',
  'auth-sessions-none': 'You are signed in nowhere else',
  'auth-sessions-end': 'End all others',
  'auth-sessions-end-title': 'End all other sessions?',
  'auth-sessions-end-text':
    'You stay signed in here. {count} other logins end at once, with their open pages and terminals.',
  'auth-sessions-ended': 'All other sessions have ended',
  'auth-session-ended': 'The session has ended',
  'auth-session-end': 'End',
  'auth-session-end-named': 'End the session of {name}',
  'auth-session-agent': '{browser} on {system}',
  'auth-session-unknown': 'Unknown browser',
  'auth-session-here': 'this one',
  'auth-session-seen': 'last seen',
  'auth-session-since': 'since',

  'auth-policy-days': 'Password validity',
  'auth-policy-days-help': '7 to 730 days. Whoever logs in with an older password must change it first.',
  'auth-policy-days-unit': 'days',
  'auth-policy-retries': 'Wrong passwords allowed',
  'auth-policy-retries-help': '3 to 10 in a row. One more locks the account until an administrator unlocks it.',
  'auth-policy-retries-unit': 'attempts',

  'rescue-usage': 'Usage: npm run admin -- {commands} <user name or e-mail address>, or npm run admin -- {own}',
  'rescue-unknown': 'There is no user {name}',
  'rescue-ambiguous': '{count} users are called {name}. Give the e-mail address',
  'rescue-not-local': '{name} signs in with a directory. Reset the password there',
  'rescue-unbanned': '{name} can sign in again',
  'rescue-password': 'The new password of {name} is {password} and must be changed at the next login',
  'rescue-admin': '{name} is an administrator now',
} as const
