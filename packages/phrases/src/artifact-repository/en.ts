/** The server from which builds get packages and to which they publish. */
export const en = {
  'artifact-repository-password-again':
    'The address or the user has changed: enter the password again. A stored one never goes to another server.',
  'artifact-repository-changed':
    'Someone else has changed the artifact repository in the meantime. Reload and make your change again.',
  'artifact-repository-silent':
    'The artifact repository {host} does not answer. Check that it runs and that the address is right, then try again.',
  'artifact-repository-login':
    'The artifact repository {host} does not accept the login. Check the user and the password, or leave both empty for one that anybody may read.',
  'artifact-repository-sealed':
    'The password of the artifact repository {url} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that it was encrypted with. Have an administrator enter it again, or start the server with that key.',

  // Screen
  'artifact-repository-ui-title': 'Artifact repository',
  'artifact-repository-ui-about':
    'A Nexus, an Artifactory or another server of packages. It is tested before it is saved. Every build finds it in GANTRY_ARTIFACTS_URL, GANTRY_ARTIFACTS_USER and GANTRY_ARTIFACTS_PASSWORD; those of merge requests from forks get no login.',
  'artifact-repository-ui-url': 'Repository address',
  'artifact-repository-ui-url-help': 'Empty: there is none',
  'artifact-repository-ui-user': 'User',
  'artifact-repository-ui-password': 'Password or token',
} as const
