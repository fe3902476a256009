import { Fault } from '../../kernel/fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'

export interface Ref {
  name: string
  /** The full hash of the commit; an annotated tag is resolved to its commit. */
  commit: string
}

export interface RepositoryRefs {
  branches: Ref[]
  tags: Ref[]
  /** The default branch; null in an empty repository or with a detached HEAD. */
  head: string | null
}

/** Parses the output of `git ls-remote --symref`. Unknown lines are ignored. */
export function parseRefs(text: string): RepositoryRefs {
  const branches = new Map<string, string>()
  const tags = new Map<string, string>()
  let head: string | null = null
  for (const line of text.split('\n')) {
    const [left = '', name = ''] = line.split('\t')
    if (name === 'HEAD' && left.startsWith('ref: refs/heads/')) head = left.slice('ref: refs/heads/'.length)
    else if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(left)) continue
    else if (name.startsWith('refs/heads/')) branches.set(name.slice('refs/heads/'.length), left)
    else if (name.startsWith('refs/tags/')) {
      const tag = name.slice('refs/tags/'.length)
      // the peeled line comes after the line of its tag, and contains the commit
      tags.set(tag.endsWith('^{}') ? tag.slice(0, -3) : tag, left)
    }
  }
  const list = (map: Map<string, string>): Ref[] => [...map].map(([name, commit]) => ({ name, commit }))
  return { branches: list(branches), tags: list(tags), head: head !== null && branches.has(head) ? head : null }
}

/** git's messages (LC_ALL=C, 2.37 and newer) and their meaning. The first match counts. */
const causes: [RegExp, PhraseKey, PhraseKey?][] = [
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
  [/requested URL returned error: 3\d\d|unable to update url base from redirection/i, 'git-moved'],
  [/requested URL returned error: (429|5\d\d)/i, 'git-server-error'],
  [/Could not resolve host/i, 'outbound-unknown-host'],
  [/wrong version number|unexpected TLS packet|handshake.*unexpected/i, 'outbound-tls-missing'],
  [/certificate.*expired|expired certificate/i, 'outbound-tls-expired'],
  [/does not match target host|no alternative certificate subject name/i, 'outbound-tls-name'],
  [/certificate problem|certificate verification failed|self.signed/i, 'outbound-tls-untrusted'],
  [/SSL|TLS|handshake/, 'outbound-tls'],
  [/Operation too slow|timed out|timeout/i, 'outbound-timeout'],
  [/Failed to connect|Connection refused|Couldn't connect|No route to host|unreachable/i, 'outbound-unreachable'],
  [/Empty reply|Recv failure|Connection reset|hung up|early EOF|HTTP\/0\.9/i, 'outbound-broken'],
]

export function gitFault(stderr: string, host: string, url: string, withPassword: boolean): Fault {
  const known = causes.find(([pattern]) => pattern.test(stderr))
  const key = known === undefined ? 'git-failed' : !withPassword && known[2] !== undefined ? known[2] : known[1]
  const outside = key.startsWith('outbound-') || key === 'git-server-error' || key === 'git-failed'
  const fault = new Fault(outside ? 'badGateway' : 'invalid', key, { host, url })
  fault.cause = new Error(stderr.slice(0, 2000))
  return fault
}
