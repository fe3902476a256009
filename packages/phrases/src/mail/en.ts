/** Mails: a subject, and a text whose paragraphs are parted by an empty line. */
export const en = {
  'mail-greeting': 'Hello {name},',
  'mail-signature': '{product} sent this mail by itself; nobody reads answers to it.',
  'mail-test-subject': '{product}: test mail',
  'mail-test-text': 'The mail settings of {product} work. {user} sent this test.',
  'mail-account-created-subject': '{product}: your account',
  'mail-account-created-text':
    'An account was made for you in {product}. Your user name is {userName}.\n\nAn administrator tells you the initial password; at the first login you choose your own.\n\n{link}',
  'mail-registered-subject': '{product}: {userName} has registered',
  'mail-registered-text':
    '{userName} ({email}) has registered in {product} and waits to be let in.\n\nApprove or refuse in the list of users:\n\n{link}',
  'mail-approved-subject': '{product}: you may sign in now',
  'mail-approved-text':
    'An administrator has let you in. Sign in as {userName} with the password that you chose.\n\n{link}',
  'mail-banned-by-hand': 'an administrator has banned it',
  'mail-banned-passwords': 'the password was wrong too many times in a row',
  'mail-banned-subject': '{product}: your account was banned',
  'mail-banned-text':
    'The account {userName} can no longer sign in: {reason}.\n\nWas that not you? Tell an administrator. Only an administrator can lift the ban.',
  'mail-password-expiring-subject': '{product}: your password expires soon',
  'mail-password-expiring-text':
    'The password of {userName} expires in {days} days. After that, the next login asks for a new one.\n\nChange it at any time in your profile:\n\n{link}',
  'mail-added-to-team-subject': '{product}: you are in the team {team}',
  'mail-added-to-team-text': '{by} has added you to the team {team}.\n\n{link}',
} as const
