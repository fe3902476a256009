/** Pending decisions. */
export const en = {
  // In a list and in the subject of a mail
  'decisions-review': '{pipeline} #{number} needs a review before it begins',
  'decisions-fork': '{pipeline} #{number} of a fork’s merge request waits to be let in',
  'decisions-approval': 'Stage {stage} of {pipeline} #{number} needs approval',
  'decisions-start': 'Stage {stage} of {pipeline} #{number} can be started',
  'decisions-upgrade': 'The upgrade of {name} in {stack} is ready: confirm it or roll it back',
  'decisions-upgrade-step': 'The gray deployment of {name} in {stack} stands: go on or cancel it',
  'decisions-release': 'Release {version} of stack {stack} is ready: confirm it or roll it back',
  'decisions-account': '{name} ({email}) has registered and asks to be let in',
  'decisions-cluster': 'Another cluster answers in place of {name}: say whether it is meant',

  // The bell, the dashboard
  'decisions-bell': '{bell}, {count} {count:decision|decisions} waiting for you',
  'decisions-ui-title': 'Waiting for you',
  'decisions-ui-by': 'asked by {name}',
  'decisions-ui-until': 'until',
  'decisions-ui-open': 'Look at it',
  'decisions-ui-let-in': 'Let in',
  'decisions-ui-older': 'Show all {count}',
  'decisions-ui-more': 'There are more; they follow as these are decided.',

  // The setting
  'decisions-mail-off':
    'No mail server is set up, so no mail is sent. An administrator sets one up under System settings, Email.',
  'decisions-mail-nowhere': 'Your profile has no email address, so no mail can reach you. Add one above.',
  'decisions-ui-mail': 'Mails',
  'decisions-ui-mail-on': 'Mail me when a decision waits for me',
  'decisions-ui-mail-help':
    'Once for each decision: reviews, approvals, upgrades, releases and registrations that you may decide.',
}
