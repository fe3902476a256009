/** Harbor: servers, projects, their images. */
export const en = {
  // Refusals
  'harbor-username-required': 'Enter the username of an administrator of the Harbor',
  'harbor-password-required': 'Enter the password',
  'harbor-project-length': 'A project’s name has 4 to 30 characters',
  'harbor-project-format':
    'A project’s name consists of lowercase letters, digits, _ and -, and begins and ends with a letter or digit',
  'harbor-repository-format': 'This is not a valid repository. It should look like project/service, in lowercase.',
  'harbor-tag-format': 'This is not a valid tag',
  'harbor-digest-format': 'This is not a valid digest. It should look like sha256: and 64 hexadecimal digits.',
  'harbor-name-taken': 'A Harbor named {name} already exists. Choose another name.',
  'harbor-changed':
    'The Harbor {name} was changed by somebody else meanwhile. Reload the page and enter your change again.',
  'harbor-simulated': 'The Harbor {name} is the simulated one of the product, and cannot be changed.',
  'harbor-in-use': 'These teams have projects in the Harbor {name}: {teams}. Take the projects from them first.',
  'harbor-project-taken': 'A project named {name} already exists in this Harbor. Choose another name.',
  'harbor-project-in-use':
    'The project {name} is used by these services of the team {team}: {services}. Change them first.',
  'harbor-tag-or-digest': 'Name a tag or a digest',
  'harbor-tag-moved': 'The tag {tag} names another image by now. Reload the list.',
  'harbor-report-none': 'There is no scan report of this image. Scan it first.',
  'harbor-outside-project': 'The repository {repo} does not lie in the project {project}.',
  'harbor-same-project': 'Source and target are the same project. Choose another target.',

  // Problems in answers of a Harbor, or without an answer
  'harbor-credentials': '{host} rejected the username or password. Check them.',
  'harbor-not-one': 'The server at {host} is not a Harbor. Check the address and the port.',
  'harbor-not-administrator':
    '{username} is not an administrator of the Harbor at {host}. Enter an account that is: it creates projects and robots.',
  'harbor-version':
    'The Harbor at {host} has version {version}. Version {oldest} or a newer one of Harbor 2 is required.',
  'harbor-forbidden': '{host} does not allow the stored account to do this: {reason}',
  'harbor-protected': '{host} refuses this because of a rule of the project, such as immutable tags: {reason}',
  'harbor-conflict': '{host} reports a conflict: {reason}',
  'harbor-refused': '{host} rejected the request (status {status}): {reason}',
  'harbor-error': '{host} reported an internal error (status {status}): {reason}. Try again later.',
  'harbor-resting':
    '{host} has failed several times in a row, so requests to it are paused. Try again in {seconds} {seconds:second|seconds}.',
}
