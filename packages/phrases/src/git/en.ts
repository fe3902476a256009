export const en = {
  'git-missing':
    'git is not installed on this server. Install git 2.37 or newer there; it is needed for every repository, the sample’s too.',
  'git-too-old': 'The git {version} on this server is too old. Install git {needed} or newer there.',
  'git-url-invalid': 'This is not the address of a git repository. It must look like https://host/path/repository.git.',
  'git-url-credentials': 'The address must not carry a user name or password. Enter them into their own fields.',
  'git-not-found': 'There is no repository at {url}, or these credentials may not see it. Check the address.',
  'git-wrong-password':
    '{host} refuses this user name and password. Check them; many hosts want an access token as password.',
  'git-password-needed': '{host} asks for a user name and password. The repository is private, or does not exist.',
  'git-forbidden': '{host} does not allow this user to read the repository. Ask its owner for access.',
  'git-no-repository':
    'What answers at {url} is not a git repository. Use the address that the host offers for cloning over HTTP.',
  'git-moved': '{url} leads on to another address. Enter the address that it leads to.',
  'git-server-error': '{host} reports an error of its own. Try again later, or ask those who run it.',
  'git-too-many-refs': 'The repository has too many branches and tags to be listed.',
  'git-failed': 'git could not read {url}. The server’s log has what it said.',
  'git-branch-invalid': 'This is not a valid name of a branch or tag.',
  'git-branch-unknown': 'The repository has no branch or tag named {branch}. Choose one that exists, or push it first.',
  'git-empty': 'The repository has no commits yet. Push a branch first.',
} as const
