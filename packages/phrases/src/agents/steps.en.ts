/** Why a step or a build failed, as its agent reports it. */
export const en = {
  'agents-script-failed': 'The script ended with exit code {code}. The log shows why.',
  'agents-script-killed':
    'A command of the script was killed (exit code {code}), most often because the agent’s machine ran out of memory. Make the step use less memory, or add memory to the machine.',
  'agents-limit-memory':
    'The step was ended because it used more than {limit} of memory, the limit for a build on this agent. Make it use less, for example by running fewer jobs at a time, or ask the agent’s operator to raise GANTRY_AGENT_BUILD_MEMORY_MB.',
  'agents-limit-processes':
    'The step was ended because it started more than {limit} processes and threads, the limit for a build on this agent. Make it start fewer, or ask the agent’s operator to raise GANTRY_AGENT_BUILD_PROCESSES.',
  'agents-limit-disk':
    'The step was ended because the build wrote more than {limit} to the agent’s disk, the limit for a build on this agent. Make it write or keep less, or ask the agent’s operator to raise GANTRY_AGENT_BUILD_DISK_MB.',
  'agents-step-timed-out':
    'The step was stopped after its time limit of {minutes} {minutes:minute|minutes}. Raise the limit, or find out what the step is waiting for.',
  'agents-build-timed-out':
    'The build was stopped after its time limit of {minutes} {minutes:minute|minutes}. Raise the limit, or find out what the build is waiting for.',
  'agents-stopped': 'The build was stopped by a user',
  'agents-step-lost':
    'The step was interrupted before it finished: the agent’s machine restarted, or the process was killed. Start the build again.',
  'agents-workspace-gone':
    'The agent does not have the workspace of attempt {attempt}, in which earlier stages had passed. Nothing was run in its place: the next attempt runs all stages.',
  'agents-storage-full': 'The disk of the build agent is full. Free some space there, then start the build again.',
  'agents-server-storage-full':
    'The server’s storage is full. Ask an administrator to free some space, then start the build again.',
  'agents-server-refused': 'The server rejected what the step sent: {text}',
  'agents-log-too-long':
    'The step’s log exceeds the maximum length. Make the step write less, or write to a file and keep it as an artifact.',
  'agents-no-files':
    'No file in the workspace matches {files}. Check the pattern, and that an earlier step creates these files.',
  'agents-too-many-files':
    'More than {limit} files match {files}. Narrow the pattern, or pack them into one file first.',
  'agents-file-too-large':
    '{path} is {size}, but at most {limit} can be stored. Make the file smaller, or publish it elsewhere.',
  'agents-file-refused': '{path} was not stored: {text}',
  'agents-cache-not-unpacked':
    'The cached files could not be unpacked into the workspace: {text}. Let the step come before others that write to the same paths, or change its key.',
  'agents-file-changed':
    '{path} changed while it was being read. Make sure nothing is still writing to it when this step runs.',
  'agents-report-invalid': '{path} is not a JUnit report: {text}',
  'agents-coverage-invalid': '{path} is not a coverage report: {text}',
  'agents-coverage-low':
    '{percent}% of the lines are covered, and the step wants {minimum}%. Add tests, or lower the limit in the step.',
  'agents-coverage-dropped':
    '{percent}% of the lines are covered, after {before}% in build #{number}: the step allows {most} percentage points fewer. Add tests for what is new, or change the limit in the step.',
  'agents-scan-invalid': '{path} is not a report of a scanner: {text}',
  'agents-scan-refused':
    'More was found than the step allows: {critical} critical, {high} high, {medium} medium, {low} low. See the problems of the build.',
  'agents-mail-secret':
    'The email would have contained a secret, so it was not sent. Take the secret variable, or the output that holds it, out of its subject and text.',
  'agents-copy-from': '{image} does not name an image. Write it as path:tag or path@sha256:….',
  'agents-copy-missing': '{host} has no image {image}. Check its path and its tag or digest.',
  'agents-tests-failed': '{failed} of {total} {total:test|tests} failed',
  'agents-no-repository':
    'The pipeline has no repository to check out. Enter one in the pipeline’s settings, or remove the step.',
  'agents-address-refused':
    'Steps cannot reach {host}: it is on the build agent’s machine or in a reserved network. The agent’s operator can allow it with GANTRY_OUTBOUND_ALLOW.',
  'agents-git-missing': 'git is not installed on the build agent’s machine. Install git 2.37 or later there.',
  'agents-git-failed': 'git could not check out {url}: {text}',
  'agents-git-redirected': '{url} redirects to another address. Enter the final address instead.',
  'agents-git-unreachable': 'The build agent cannot reach {host}. Check the address and the network between them.',
  'agents-git-untrusted':
    'The build agent does not trust the certificate of {host}. Set GANTRY_CA_FILE on the agent to the certificate of its certificate authority.',
  'agents-commit-unknown':
    'The repository has no commit {commit}. A forced push may have removed it. Start a new build.',
  'agents-isolation-unavailable':
    'The step was not run because it could not be isolated from the rest of the agent’s machine: {why}',
  'agents-registry-unknown': 'The registry of this step no longer exists. Choose another one in the pipeline.',
  'agents-registry-wrong-password':
    'The registry {host} rejected the username or password. Check them in the registry’s settings.',
  'agents-registry-denied':
    'The registry {host} does not allow its user to {action} {repository}. Ask the registry’s administrator for the permission, or choose another repository.',
  'agents-registry-unreachable':
    'The build agent cannot reach the registry {host}: {text}. Check its address and the network between them.',
  'agents-registry-untrusted':
    'The build agent does not trust the certificate of the registry {host}. Set GANTRY_CA_FILE on the agent to the certificate of its certificate authority, or mark the registry as insecure.',
  'agents-registry-not-one': 'The server at {host} is not an image registry. Check the address.',
  'agents-registry-refused': 'The registry {host} rejected the image: {text}',
  'agents-registry-realm':
    'The registry {host} requests a token from {realm}. The password was not sent there, because that address is neither the registry’s own nor encrypted.',
  'agents-registry-token':
    'The token service {service} of the registry {host} issued no token: {text}. Check the username and password in the registry’s settings, or ask the administrator of the token service.',
  'agents-base-missing':
    'The base image {base} does not exist in the registry {host}. Check its name and tag, or push the image first.',
  'agents-base-unusable': 'The base image {base} cannot be used: {text}',
  'agents-tag-invalid':
    'The image tag {tag} is not valid. A tag has at most 128 letters, digits, dots, hyphens and underscores.',
  'agents-dockerfile-unknown': 'The Dockerfile of this step no longer exists. Choose another one in the pipeline.',
  'agents-dockerfile-missing':
    'The workspace has no file {path}. Check the path, and that a checkout or an earlier step brings the file.',
  'agents-context-missing': 'The workspace has no folder {path} for the Dockerfile to copy from',
  'agents-engine-missing':
    'The build agent has neither buildah nor podman, nor a docker that steps may use. Install buildah on its machine (on Debian: apt install buildah), or choose an agent that has one by its labels.',
  'agents-containers-missing':
    'The build agent has lost its container engine since it took this job. Look at its log, and start it anew once podman works there.',
  'agents-container-failed':
    'The container of this step did not start: {why}. Check that the image has the step’s shell, and what the agent’s log says of its engine.',
  'agents-service-failed': 'The service {service} did not start from {image}: {why}',
  'agents-image-missing': 'The build image of this job, or of one of its services, is gone. Choose another one.',
  'agents-image-not-pulled':
    'The build agent cannot pull {image}: {why}. Check the name of the build image, and that the agent’s machine is logged in to its registry.',
  'agents-service-ended':
    'The service {service} of {image} ended before the step. What it said last is in the log; check its variables.',
  'agents-service-silent':
    'The service {service} of {image} did not listen on port {port} within {seconds} {seconds:second|seconds}. Check the port, or leave it out.',
  'agents-cluster-refused':
    'The cluster refuses the Job of this job: {why}. An administrator can change the namespace’s policies, or the settings of the agent.',
  'agents-pod-image':
    'The cluster cannot pull {image}: {why}. Check the name of the build image, and that the namespace’s default service account has a pull secret for its registry.',
  'agents-pod-evicted':
    'The host of the job ended its pod: {why}. Start the build again; an administrator can raise what a job may have.',
  'agents-pod-deleted':
    'The pod of the job was deleted, or its host ({node}) is gone. Start the build again, or give the job retries.',
  'agents-pod-failed':
    'The pod of the job ended before the job: {why}. Look at what the agent’s log says of it, and start the build again.',
  'agents-image-failed': 'The image was not built (exit code {code}). The log shows at which instruction.',
  'agents-image-invalid': 'The engine left no image that can be pushed. The log shows what it did.',
  'agents-workspace-link': '{path} points outside the workspace and is not read',
  'agents-deploy-refused': 'The service was not changed: {text}',
  'agents-defect': 'The step ended with an unexpected error: {message}. See the agent’s log for details.',
  'agents-files-not-taken': 'The files that earlier jobs handed on could not be unpacked: {text}',
  'agents-output-invalid': 'The step wrote an output that is not KEY=value, or is longer than 4,096 characters: {line}',
  'agents-outputs-too-large':
    'The step wrote more outputs than are kept (at most {limit}). Write fewer, or hand on a file instead.',
  'agents-scanner-missing':
    'There is no sonar-scanner on the agent’s PATH. Install it there, or let the step run a command of your own.',
  'agents-scanner-failed': 'The scanner ended with exit code {code}. Its log says why.',
  'agents-no-analysis':
    'The command ended without an analysis. It must run a scanner of SonarQube, such as sonar-scanner, mvn sonar:sonar or gradle sonar.',
  'agents-terminal-step-over': 'The step has ended. Open a terminal while it runs.',
  'agents-terminal-step-waits':
    'The container of the step has not started yet: its image is pulled, or its pod waits for a host. Try again once the step writes to its log.',
  'agents-terminal-role':
    'The cluster does not let the agent open terminals in its jobs: {why}. Apply the agent’s manifest again: its Role now contains pods/exec.',
  'agents-terminal-step-ended': 'The step has ended, and this terminal with it.',
  'agents-terminal-workspace-gone':
    'The agent no longer has the workspace of this job. It keeps {count} of them, for {hours} {hours:hour|hours}, and a retry takes its own. Run the job again.',
  'agents-terminal-workspace-open':
    'Somebody already has a terminal open in this workspace. Close that one first, or wait: it closes after 30 minutes at the latest.',
  'agents-terminal-workspace-taken':
    'A retry of the job has taken the workspace. Open a terminal in the retry instead.',
  'agents-terminal-many': 'The agent already has {count} {count:terminal|terminals} open. Close one of them first.',
  'agents-terminal-failed': 'The agent could not open the terminal: {why}',
}
