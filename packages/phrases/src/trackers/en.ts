/** Connections to issue trackers, and the issues of builds. */
export const en = {
  // Refusals
  'trackers-project-format':
    'A project’s key begins with a capital letter and consists of capital letters, digits and _, such as SHOP',
  'trackers-project-required': 'Name at least one project of Jira whose issues count',
  'trackers-project-unknown':
    'Jira shows no such project to {login}: {projects}. Check the keys, or let the account browse these projects.',
  'trackers-issue-format': 'An issue’s key is that of its project with a number, such as SHOP-12',
  'trackers-token-required': 'Enter the token',
  'trackers-token-format': 'A token consists of letters, digits and signs, without spaces',
  'trackers-token-again': 'The address has changed: enter the token again. A stored one never goes to another server.',
  'trackers-email-required': 'Enter the e-mail address of the account that the API token is of',
  'trackers-name-taken': 'A connection named {name} already exists. Choose another name.',
  'trackers-team-unknown': 'One of the chosen teams no longer exists. Choose the teams again.',
  'trackers-changed':
    'The connection {name} was changed by somebody else meanwhile. Reload the page and enter your change again.',

  // Problems in answers of a tracker, or without an answer
  'trackers-silent':
    'The issue tracker at {host} does not answer. Check that it runs and that the address is right, then try again.',
  'trackers-token':
    'The Jira at {host} does not accept the token. It may be wrong, expired or revoked, or be of another kind of Jira: create a new one there.',
  'trackers-forbidden':
    'The issue tracker at {host} refuses this to the account of the connection: {text}. Give it the permission there. After several wrong passwords, log in once in a browser.',
  'trackers-busy':
    'The issue tracker at {host} has been asked too often. Try again in {seconds} {seconds:second|seconds}.',
  'trackers-not-one':
    '{host} answers, but not as this issue tracker does. Check the address, with the path if it has one.',
  'trackers-error': 'The issue tracker at {host} answers with an error ({status}): {text}',
  'trackers-issue-missing':
    'There is no issue {key}, or the tracker does not show it to the account of the connection.',
  'trackers-no-transition':
    'The issue {key} has the status {status}, from which no transition “{transition}” leads. Possible: {names}. Move it in the tracker, or let an administrator change the transition of the connection.',

  // Comments on issues
  'trackers-comment': 'Build #{number} of {pipeline} succeeded: {url}',

  // Screens
  'trackers-ui-about': 'Builds show the issues that their commits name, and tell them when they succeed',
  'trackers-ui-add': 'Add Jira',
  'trackers-ui-edit': 'Edit {name}',
  'trackers-ui-search': 'Search by name or address',
  'trackers-ui-name': 'Name',
  'trackers-ui-url': 'Address',
  'trackers-ui-url-help': 'As this server reaches it, with the path if it has one',
  'trackers-ui-kind': 'Kind',
  'trackers-ui-kind-cloud': 'Jira Cloud',
  'trackers-ui-kind-data-center': 'Jira Data Center',
  'trackers-ui-email': 'E-mail address',
  'trackers-ui-email-help': 'Of the account that the API token is of',
  'trackers-ui-token': 'Token',
  'trackers-ui-token-help-cloud': 'An API token, created in the security settings of the account',
  'trackers-ui-token-help-data-center': 'A personal access token, created in the profile of the account',
  'trackers-ui-all-teams': 'For all teams',
  'trackers-ui-teams': 'Teams',
  'trackers-ui-teams-help': 'Their members see the titles of the issues that builds name',
  'trackers-ui-teams-all': 'All teams',
  'trackers-ui-teams-none': 'No team',
  'trackers-ui-projects': 'Projects',
  'trackers-ui-projects-help': 'Keys such as SHOP: SHOP-12 in a commit message or branch is then an issue',
  'trackers-ui-comment': 'Comment on issues when a build succeeds',
  'trackers-ui-comment-help': 'Once for each build, with a link to it',
  'trackers-ui-transition': 'Transition when a build succeeds',
  'trackers-ui-transition-help': 'By its name, or by the status that it leads to; empty moves no issue',
  'trackers-ui-tells': 'On success',
  'trackers-ui-tells-comment': 'comments',
  'trackers-ui-tells-transition': 'moves: {transition}',
  'trackers-ui-tells-nothing': 'nothing',
  'trackers-ui-state': 'Last check',
  'trackers-ui-reached': 'reached',
  'trackers-ui-failing': 'failing',
  'trackers-ui-checked': 'Checked',
  'trackers-ui-check': 'Check',
  'trackers-ui-verify': 'Test',
  'trackers-ui-info': 'Version {version}, as {login}',
  'trackers-ui-delete-title': 'Delete the connection {name}?',
  'trackers-ui-goes': 'Builds no longer show its issues. Nothing changes in Jira.',
  'trackers-ui-none': 'No connection to Jira',
  'trackers-ui-none-memo': 'Add one, and builds show the issues that their commits name',
  'trackers-ui-issues': 'Issues',
  'trackers-ui-issues-reading': 'Asking the issue tracker…',
  'trackers-ui-issue-missing': 'not found in the tracker',
  'trackers-ui-issue-failed': 'Not up to date: {problem}',
  'trackers-ui-told-waiting': 'The issue is being told that the build succeeded',
  'trackers-ui-told-again': 'The issue could not be told yet, and is told again: {problem}',
  'trackers-ui-told-done': 'The issue was told that the build succeeded',
  'trackers-ui-told-failed': 'The issue could not be told that the build succeeded: {problem}',
}
