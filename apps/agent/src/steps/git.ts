import { repositoryHost } from '@gantry/contract/pipelines/repository-url'
import { quoted } from '../executors/scripts.ts'
import { proxyPort } from '../network/network.ts'
import type { Reason } from '../protocol.ts'
import { reason, type ReasonKey } from '../reasons.ts'
import { largeFileFunctions } from './large-files.ts'
import { ownHost, submoduleFunctions } from './submodules.ts'

/** Exit codes of the script below for causes that git itself reports only as text. */
export const exits = { commitUnknown: 90, branchUnknown: 91 }

/**
 * Runs as the step's user in the workspace. All values come from the environment and are quoted; refs begin with
 * `refs/heads/`, and the commit is known to be a hash, so that no value is ever read as an option.
 */
export const checkoutScript = `
errors=.git/gantry-errors
# What an earlier step left there may name programs to run, and this one has the credentials.
rm -rf .git
git init --quiet --template= .
git config remote.origin.url "$GANTRY_GIT_URL"
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
depth=$GANTRY_GIT_DEPTH

# The step's way out is closed while its agent restarts: what was cut off is begun again.
tries=0
cut_off="port ${proxyPort.port}\\b|unexpected disconnect|early EOF|connection reset|recv failure|transfer closed"
fetch() {
  until git fetch --quiet --no-tags --no-recurse-submodules $1 --end-of-options origin "$2" 2> "$errors"; do
    tries=$((tries + 1))
    said "$cut_off" && [ "$tries" -le 30 ] || return 1
    sleep 1
  done
}
said() {
  grep -q -i -E "$1" "$errors"
}
# Plain web servers, and some old ones, know no shallow histories: then all of it comes.
try() {
  fetch "$depth" "$1" && return 0
  [ -n "$depth" ] && said 'shallow' || return 1
  depth=
  fetch '' "$1"
}
give_up() {
  cat "$errors"
  exit "$1"
}
missing="couldn't find remote ref|no such remote ref"

found=
if [ -n "$GANTRY_GIT_COMMIT" ]; then
  if try "$GANTRY_GIT_COMMIT"; then found=$GANTRY_GIT_COMMIT
  elif ! said "$missing|not our ref|unadvertised object|does not allow request"; then give_up 1
  fi
fi
if [ -z "$found" ]; then
  ref=refs/heads/$GANTRY_GIT_BRANCH
  if [ -n "$GANTRY_GIT_TAG" ] || ! try "+$ref:refs/remotes/origin/$GANTRY_GIT_BRANCH"; then
    [ -n "$GANTRY_GIT_TAG" ] || said "$missing" || give_up 1
    ref=refs/tags/\${GANTRY_GIT_TAG:-$GANTRY_GIT_BRANCH}
    if ! try "+$ref:$ref"; then
      said "$missing" || give_up 1
      give_up ${exits.branchUnknown}
    fi
  fi
  found=$(git rev-parse --verify --quiet --end-of-options 'FETCH_HEAD^{commit}')
  if [ -n "$GANTRY_GIT_COMMIT" ]; then
    if ! git cat-file -e "$GANTRY_GIT_COMMIT^{commit}" 2> /dev/null && [ -f .git/shallow ]; then
      fetch --unshallow "+$ref:$ref" || give_up 1
    fi
    git cat-file -e "$GANTRY_GIT_COMMIT^{commit}" 2> /dev/null || exit ${exits.commitUnknown}
    found=$GANTRY_GIT_COMMIT
  fi
fi
git checkout --quiet --force --detach "$found"
git log -1 --format='%H%n%ct%n%s' > .git/gantry-commit
git log -1 --format='Checked out %h: %s'
${largeFileFunctions}
${submoduleFunctions}
if [ -n "$GANTRY_GIT_FORK" ]; then
  # Its author has chosen what is asked for from here on.
  unset GANTRY_GIT_USERNAME GANTRY_GIT_PASSWORD
  export GIT_SSH_COMMAND=false
  case $GANTRY_GIT_OWN in ssh:*) GANTRY_GIT_OWN= ;; esac
fi
large_files ''
[ "$GANTRY_GIT_SUBMODULES" = none ] || submodules "$GANTRY_GIT_URL" ''
rm -f "$errors"
`

/** Ignores the machine's and users' configuration, and allows no prompts, no hooks, and no host but the given one. */
export function gitEnvironment(
  repository: { url: string; username: string; password: string; proxy: string | undefined },
  files: { ca: string | undefined; sshConfig: string | undefined },
): { name: string; value: string }[] {
  const settings: Record<string, string> = {
    'http.followRedirects': 'false',
    'credential.helper': '',
    'core.askPass': '',
    'core.hooksPath': '/dev/null',
    'core.fsmonitor': 'false',
    'safe.directory': '*',
    'submodule.recurse': 'false',
    'protocol.version': '2',
    'gc.auto': '0',
    'http.lowSpeedLimit': '1000',
    'http.lowSpeedTime': '30',
    ...(files.ca === undefined ? {} : { 'http.sslCAInfo': files.ca }),
    ...(repository.proxy === undefined ? {} : { 'http.proxy': repository.proxy }),
  }
  const entries = Object.entries(settings)
  const { username, password, url } = repository
  // sent only after the host has refused a request without it, so that a public repository never gets the password
  if (files.sshConfig === undefined && (password !== '' || username !== ''))
    entries.push([
      `credential.${new URL(url).origin}.helper`,
      `!f() { test "$1" = get && test -n "$GANTRY_GIT_USERNAME" && printf 'username=%s\\npassword=%s\\n' "$GANTRY_GIT_USERNAME" "$GANTRY_GIT_PASSWORD"; }; f`,
    ])
  const variables: Record<string, string> = {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: files.sshConfig === undefined ? 'false' : `ssh -F ${quoted(files.sshConfig)}`,
    GIT_SSH_VARIANT: 'ssh',
    GIT_ALLOW_PROTOCOL: files.sshConfig === undefined ? 'http:https' : 'ssh:https',
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
    // the proxy is used for every address, including this machine's
    no_proxy: '',
    NO_PROXY: '',
    GANTRY_GIT_URL: url,
    GANTRY_GIT_OWN: ownHost(url),
    GANTRY_GIT_USERNAME: username === '' ? 'git' : username,
    GANTRY_GIT_PASSWORD: password,
  }
  return Object.entries(variables).map(([name, value]) => ({ name, value }))
}

/**
 * git's messages (LC_ALL=C, 2.37 and newer) and their meaning; the first match counts. The second key is for requests
 * without a password.
 */
const causes: [RegExp, ReasonKey, ReasonKey?][] = [
  [/HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i, 'git-host-key-changed'],
  [/Load key .*(invalid format|error in libcrypto|incorrect passphrase|unsupported)/i, 'git-key-invalid'],
  [/Permission denied \(|no more authentication methods/i, 'git-key-refused', 'git-key-needed'],
  [/cannot run ssh|ssh: (command )?not found/i, 'git-ssh-missing'],
  [/does not appear to be a git repository|ERROR: Repository not found/i, 'git-not-found'],
  [
    /could not read (Username|Password)|Authentication failed|requested URL returned error: 401/i,
    'git-wrong-password',
    'git-password-needed',
  ],
  [/requested URL returned error: 403/i, 'git-forbidden'],
  [/repository '.*' not found|requested URL returned error: (404|410)/i, 'git-not-found'],
  [
    /not valid: is this a git repository|invalid server response|expected flush|bad line length|protocol error|not a git repository|unable to parse/i,
    'git-no-repository',
  ],
  [/requested URL returned error: 3\d\d|unable to update url base from redirection/i, 'agents-git-redirected'],
  // the answer of the agent's proxy
  [/requested URL returned error: 504|CONNECT tunnel failed|from proxy after CONNECT/i, 'agents-git-unreachable'],
  [/requested URL returned error: (429|5\d\d)/i, 'git-server-error'],
  [
    /certificate problem|certificate verification failed|self.signed|no alternative certificate/i,
    'agents-git-untrusted',
  ],
  [
    /Could not resolve host|Failed to connect|Connection refused|Couldn't connect|No route to host|unreachable|too slow|timed? ?out|Empty reply|Recv failure|Connection reset|hung up|early EOF|SSL|TLS/i,
    'agents-git-unreachable',
  ],
  [/No space left on device/i, 'agents-storage-full'],
]

export function gitReason(
  code: number,
  said: string,
  repository: { url: string; branch: string; tag: string; commit: string; password: string; privateKey: string },
): Reason {
  const { url, commit } = repository
  const branch = repository.tag === '' ? repository.branch : repository.tag
  const host = repositoryHost(url) ?? ''
  if (code === exits.branchUnknown) return reason('git-branch-unknown', { branch })
  if (code === exits.commitUnknown) return reason('agents-commit-unknown', { commit })
  if (code === 127) return reason('agents-git-missing')
  const known = causes.find(([pattern]) => pattern.test(said))
  if (known !== undefined) {
    const [, key, without] = known
    const bare = repository.password === '' && repository.privateKey === ''
    return reason(bare && without !== undefined ? without : key, { host, url })
  }
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const text = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? String(code)
  return reason('agents-git-failed', { url, text: text.replace(/^(fatal|error): /, '') })
}

// oxlint-disable-next-line no-control-regex -- git's own rule names these characters
const refusedInRefs = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[./]$|^[./-]/u

/** The rules of git-check-ref-format for a branch or tag: the agent checks for itself what goes to a command line. */
export const isRefName = (name: string): boolean =>
  name.length > 0 && name.length <= 250 && name !== '@' && !refusedInRefs.test(name)

export const isCommit = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
