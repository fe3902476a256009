/** Why a step or a build failed, as its agent tells it. */
export const en = {
  'agents-script-failed': 'The script ended with exit code {code}. Its log says why.',
  'agents-script-killed':
    'A command of the script was killed (exit code {code}): often the agent’s machine ran out of memory. Let the step use less, or give the machine more.',
  'agents-step-timed-out':
    'The step took longer than its {minutes} minutes and was stopped. Give it more, or find what it waits for.',
  'agents-build-timed-out':
    'The build took longer than its {minutes} minutes and was stopped. Give it more, or find what it waits for.',
  'agents-stopped': 'Somebody stopped the build.',
  'agents-step-lost':
    'The step was ended from outside before it was done: the agent’s machine was restarted, or something killed it. Start the build again.',
  'agents-storage-full': 'The disk of the build agent is full. Free some space there, then start the build again.',
  'agents-server-storage-full':
    'The server’s storage is full. Ask your administrator to free some, then start the build again.',
  'agents-server-refused': 'The server did not take what the step sent: {text}',
  'agents-log-too-long':
    'The step’s log is longer than allowed. Let the step write less, or write into a file and keep that as an artifact.',
  'agents-no-files':
    'No file in the workspace matches {files}. Check the pattern, and that an earlier step makes these files.',
  'agents-too-many-files':
    'More than {limit} files match {files}. Narrow the pattern, or pack them into one file first.',
  'agents-file-too-large':
    '{path} is {size}, and at most {limit} can be stored. Make it smaller, or publish it elsewhere.',
  'agents-file-refused': '{path} was not stored: {text}',
  'agents-file-changed': '{path} changed while it was read. See that nothing still writes to it when this step runs.',
  'agents-report-invalid': '{path} is no JUnit report: {text}',
  'agents-tests-failed': '{failed} of {total} tests failed.',
  'agents-no-repository':
    'The pipeline has no repository to check out. Enter one in the pipeline’s settings, or remove the step.',
  'agents-git-missing': 'git is not installed on the machine of the build agent. Install git 2.37 or newer there.',
  'agents-git-failed': 'git could not check out {url}: {text}',
  'agents-git-redirected': '{url} leads on to another address. Enter the address that it leads to.',
  'agents-git-unreachable': 'The build agent cannot reach {host}. Check the address, and the network between them.',
  'agents-git-untrusted':
    'The build agent does not trust the certificate of {host}. Give the agent its certificate authority with GANTRY_CA_FILE.',
  'agents-commit-unknown':
    'The repository has no commit {commit}. It may have been removed by a forced push; start a new build.',
  'agents-isolation-unavailable':
    'The step could not be kept apart from the rest of the build machine, so it was not run: {why}',
  'agents-registry-unknown': 'The registry of this step does not exist any more. Choose another one in the pipeline.',
  'agents-registry-wrong-password':
    'The registry {host} refuses this user name and password. Check them in the registry’s settings.',
  'agents-registry-denied':
    'The registry {host} does not allow its user to {action} {repository}. Ask those who run it for the right, or choose another repository.',
  'agents-registry-unreachable':
    'The build agent cannot reach the registry {host}: {text}. Check its address, and the network between them.',
  'agents-registry-untrusted':
    'The build agent does not trust the certificate of the registry {host}. Give the agent its certificate authority with GANTRY_CA_FILE, or mark the registry as insecure.',
  'agents-registry-not-one': 'What answers at {host} is not an image registry. Check its address.',
  'agents-registry-refused': 'The registry {host} refused the image: {text}',
  'agents-registry-realm':
    'The registry {host} sends its users to {realm} for a token. That address is neither its own nor encrypted, so the password was not sent there.',
  'agents-base-missing':
    'The base image {base} does not exist in the registry {host}. Check its name and tag, or push it there first.',
  'agents-base-unusable': 'The base image {base} cannot be used: {text}',
  'agents-tag-invalid':
    'The tag {tag} of the image is not valid. A tag has at most 128 letters, digits, dots, dashes and underscores.',
  'agents-workspace-link': '{path} leads out of the workspace and is not read.',
  'agents-deploy-refused': 'The service was not changed: {text}',
  'agents-defect': 'The step ended with an error that should not happen: {message}. The agent’s log has more.',
} as const
