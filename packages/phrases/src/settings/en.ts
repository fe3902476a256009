/** Settings of the system, and its mails: a subject, and a text whose paragraphs are separated by an empty line. */
export const en = {
  // Mail servers
  'mail-host': 'Enter the mail server as a host name or IP address, without a scheme or path',
  'mail-address-length': 'An email address has at most 254 characters',
  'mail-not-set': 'Email is not set up yet. Enter the mail server first.',
  'mail-password-again': 'The stored password belongs to another server or user. Enter the password again.',
  'mail-wrong-password':
    '{host} rejected the username or the password. Its response: {answer}. Check both. Some servers require an app password.',
  'mail-recipient-refused': '{host} rejected the recipient {to}. Its response: {answer}',
  'mail-sender-refused': '{host} rejected the sender. Its response: {answer}. Use an address that it allows.',
  'mail-refused': '{host} rejected the email. Its response: {answer}',
  'mail-later': '{host} is not accepting email at the moment. Its response: {answer}',
  'mail-no-tls': '{host} does not support TLS in this way. Choose another security setting, or another port.',
  'mail-broken': '{host} closed the connection or does not use SMTP. Check the address and the port.',
  'mail-given-up': 'The email could not be delivered within 24 hours. The last cause: {reason}',

  // Mail
  'mail-greeting': 'Hello {name},',
  'mail-signature': 'This email was sent automatically by {product}. Please do not reply.',
  'mail-test-subject': '{product}: test email',
  'mail-test-text': 'The email settings of {product} work. {user} sent this test.',
  'mail-account-created-subject': '{product}: your account',
  'mail-account-created-text':
    'An account was created for you in {product}. Your username is {userName}.\n\nAn administrator will give you the initial password. You choose your own at the first login.\n\n{link}',
  'mail-registered-subject': '{product}: {userName} has registered',
  'mail-registered-text':
    '{userName} ({email}) has registered in {product} and is awaiting approval.\n\nApprove or refuse the registration in the list of users:\n\n{link}',
  'mail-approved-subject': '{product}: you can now log in',
  'mail-approved-text':
    'An administrator has approved your account. Log in as {userName} with the password that you chose.\n\n{link}',
  'mail-banned-by-hand': 'an administrator has disabled it',
  'mail-banned-passwords':
    'too many wrong passwords were entered in a row (open sessions continue, and you can still log in with browsers in which you have logged in before)',
  'mail-banned-subject': '{product}: your account was blocked',
  'mail-banned-text':
    'You can no longer log in to the account {userName}: {reason}.\n\nIf this was not you, tell an administrator. Only an administrator can restore access.',
  'mail-password-expiring-subject': '{product}: your password expires soon',
  'mail-password-expiring-text':
    'The password of {userName} expires in {days} {days:day|days}. After that, you will be asked for a new one at the next login.\n\nYou can change it at any time in your profile:\n\n{link}',
  'mail-added-to-team-subject': '{product}: you were added to the team {team}',
  'mail-added-to-team-text': '{by} has added you to the team {team}.\n\n{link}',
  'mail-join-link-subject': '{product}: {by} invites you to the team {team}',
  'mail-join-link-text':
    '{by} invites you to the team {team}. Open this link to join. It is valid once, for {hours} {hours:hour|hours}.\n\n{link}',
  'mail-decision-subject': '{product}: {text}',
  'mail-decision-text':
    '{text}.\n\nTeam: {team}. Asked by: {by}. You get this mail because your profile says so. Decide here:\n\n{link}',
  'mail-build.failed-subject': '{product}: {pipeline} #{number} failed',
  'mail-build.failed-text':
    'Build #{number} of {pipeline} in team {team} failed. {by} started it on {ref}. The build opens at its first error:\n\n{link}',
  'mail-build.fixed-subject': '{product}: {pipeline} is fixed with #{number}',
  'mail-build.fixed-text':
    'Build #{number} of {pipeline} in team {team} succeeded; the one before it on {ref} had failed. {by} started it.\n\n{link}',
  'mail-build.waiting-subject': '{product}: {pipeline} #{number} waits for a decision',
  'mail-build.waiting-text':
    'Build #{number} of {pipeline} in team {team} waits for a decision. {by} started it on {ref}. Approve or reject it here:\n\n{link}',
  'mail-build.deployed-subject': '{product}: {pipeline} #{number} has been deployed',
  'mail-build.deployed-text':
    'Build #{number} of {pipeline} in team {team} succeeded and has been deployed. {by} started it on {ref}.\n\n{link}',
  'mail-build.success-subject': '{product}: {pipeline} #{number} succeeded',
  'mail-build.success-text':
    'Build #{number} of {pipeline} in team {team} succeeded. {by} started it on {ref}.\n\n{link}',
  'mail-build.aborted-subject': '{product}: {pipeline} #{number} was stopped',
  'mail-build.aborted-text':
    'Build #{number} of {pipeline} in team {team} was stopped. {by} started it on {ref}.\n\n{link}',

  // Screens
  'settings-ui-about': 'Settings of the whole platform',
  'settings-ui-mail': 'Email',
  'settings-ui-login': 'Login policy',
  'settings-ui-host': 'Host',
  'settings-ui-builds': 'Builds',
  'settings-ui-builds-about': 'How teams share the build agents',
  'settings-ui-audit': 'Audit log',
  'settings-ui-mail-about': 'How emails are sent: notifications to users, and to administrators about users',
  'settings-ui-mail-enabled': 'Send emails',
  'settings-ui-mail-host': 'Mail server',
  'settings-ui-mail-port': 'Port',
  'settings-ui-mail-security': 'Security',
  'settings-ui-mail-security-none': 'None: plain text',
  'settings-ui-mail-security-starttls': 'STARTTLS',
  'settings-ui-mail-security-tls': 'TLS',
  'settings-ui-mail-user': 'Username',
  'settings-ui-mail-password': 'Password',
  'settings-ui-mail-password-help':
    'Stored encrypted. Enter it again when you change the server, the port or the username.',
  'settings-ui-mail-from': 'Sender address',
  'settings-ui-mail-from-name': 'Sender name',
  'settings-ui-mail-lang': 'Language',
  'settings-ui-mail-lang-help': 'For users who have not chosen a language',
  'settings-ui-mail-lang-en': 'English',
  'settings-ui-mail-lang-zh': 'Chinese',
  'settings-ui-mail-test': 'Send test email',
  'settings-ui-mail-test-about': 'To {to}, with the settings above, saved or not',
  'settings-ui-mail-test-to': 'Test recipient',
  'settings-ui-mail-test-sent': 'The mail server has accepted the test email for {to}',
  'settings-ui-outbox': 'Outbox',
  'settings-ui-outbox-about': 'The last 50 emails. Sending is retried for up to 24 hours.',
  'settings-ui-outbox-none': 'No emails yet',
  'settings-ui-outbox-none-memo': 'Emails sent by the platform are listed here with their result',
  'settings-ui-outbox-to': 'Recipient',
  'settings-ui-outbox-subject': 'Subject',
  'settings-ui-outbox-state': 'State',
  'settings-ui-outbox-state-waiting': 'Waiting',
  'settings-ui-outbox-state-sent': 'Sent',
  'settings-ui-outbox-state-failed': 'Failed',
  'settings-ui-outbox-attempts': 'Attempts',
  'settings-ui-outbox-created': 'Created',
  'settings-ui-host-about': 'The address at which users reach the platform',
  'settings-ui-host-url': 'Public address',
  'settings-ui-host-url-help': 'Links in emails begin with it. If empty, {url} is used.',
  'settings-ui-host-check': 'Check address',
  'settings-ui-host-reachable': 'The address is reachable',
  'settings-ui-host-notice': 'Notice on the login page',
  'settings-ui-host-notice-help': 'Shown to everyone before login. Leave empty for no notice.',
  'settings-ui-host-reloads': 'Saved. The page reloads in 3 seconds.',
  'settings-ui-login-about': 'For local users. Directories and identity providers have their own rules.',
  'settings-ui-audit-about': 'How long audit entries are kept',
}
