/** What a git repository, or the git program, refuses: on the server and on agents. */
export const en = {
  'git-missing':
    'git is not installed on this server. Install git 2.37 or later: it is needed for every repository, including the sample’s.',
  'git-too-old': 'git {version} on this server is too old. Install git {needed} or later.',
  'git-url-invalid':
    'This is not a valid address of a git repository. It should look like https://host/path/repository.git.',
  'git-url-credentials': 'The address must not contain a username or password. Enter them in their own fields.',
  'git-not-found': 'There is no repository at {url}, or these credentials cannot access it. Check the address.',
  'git-wrong-password':
    '{host} rejected the username or password. Check them. Many hosts require an access token instead of a password.',
  'git-password-needed': '{host} requires a username and password. The repository is private, or does not exist.',
  'git-forbidden': '{host} does not allow this user to read the repository. Ask its owner for access.',
  'git-no-repository':
    'There is no git repository at {url}. Use the address that the host provides for cloning over HTTP.',
  'git-moved': '{url} redirects to another address. Enter the final address instead.',
  'git-server-error': '{host} reported an internal error. Try again later, or ask its administrator.',
  'git-too-many-refs': 'The repository has too many branches and tags to list',
  'git-failed': 'git could not read {url}. The server’s log shows the cause.',
  'git-branch-invalid': 'This is not a valid name of a branch or tag',
  'git-branch-unknown': 'The repository has no branch or tag named {branch}. Choose one that exists, or push it first.',
  'git-empty': 'The repository has no commits yet. Push a branch first.',
}
