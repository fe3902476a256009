/**
 * How git reaches a repository over SSH, on the server and on agents: with a separate configuration that trusts one
 * host key, offers one private key, and ignores the settings of the machine and its user.
 */
export interface SshFiles {
  /** The name under which the host key is pinned, as known_hosts writes it. */
  alias: string
  /** The checked address to connect to, instead of the name in the URL. */
  address?: string | undefined
  knownHosts: string
  /** Undefined: there is no private key, and the connection only finds out whether the host needs one. */
  key?: string | undefined
  /** The file of `connectScript`; undefined: a direct connection. */
  proxy?: string | undefined
  /** Whether an unknown host key is added to the known hosts. A changed key is always refused. */
  learn: boolean
}

/** A host as known_hosts names it. */
export const knownAs = ({ host, port }: { host: string; port: number }): string =>
  port === 22 ? host : `[${host}]:${port}`

/** The file for `ssh -F`. Paths are the product's own. */
export const sshConfig = ({ alias, address, knownHosts, key, proxy, learn }: SshFiles): string =>
  [
    'Host *',
    `HostKeyAlias ${alias}`,
    ...(address === undefined ? [] : [`HostName ${address}`]),
    `StrictHostKeyChecking ${learn ? 'accept-new' : 'yes'}`,
    `UserKnownHostsFile "${knownHosts}"`,
    'GlobalKnownHostsFile /dev/null',
    'UpdateHostKeys no',
    'CheckHostIP no',
    'HashKnownHosts no',
    'BatchMode yes',
    'PreferredAuthentications publickey',
    'IdentitiesOnly yes',
    'IdentityAgent none',
    `IdentityFile ${key === undefined ? 'none' : `"${key}"`}`,
    'ClearAllForwardings yes',
    'ForwardAgent no',
    'PermitLocalCommand no',
    'ControlMaster no',
    'ConnectTimeout 15',
    'ServerAliveInterval 30',
    'LogLevel ERROR',
    ...(proxy === undefined ? [] : [`ProxyCommand bash "${proxy}"`]),
    '',
  ].join('\n')

/** Quotes any text as one word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A script that tunnels a connection through an HTTP proxy. It needs only bash, because a machine may lack every other
 * tool for this. When the other side closes, ssh must see the end of its input.
 */
export const connectScript = (
  proxy: { host: string; port: number; authorization?: string },
  target: string,
): string => `
exec 3<> /dev/tcp/${proxy.host}/${proxy.port} || exit 1
printf 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n%s\\r\\n' ${quoted(target)} ${quoted(target)} ${
  proxy.authorization === undefined ? "''" : `$'Proxy-Authorization: '${quoted(proxy.authorization)}$'\\r\\n'`
} >&3
IFS= read -r status <&3
while IFS= read -r line <&3 && [ "\${line%$'\\r'}" != '' ]; do :; done
case $status in
  *' 200 '*) ;;
  *) echo "from proxy after CONNECT: \${status%$'\\r'}" >&2; exit 1 ;;
esac
(cat <&3; kill $$) &
cat >&3
kill $! 2> /dev/null
`

/** A private key as ssh reads it: every line ends with a line feed, including the last. */
export const keyFile = (key: string): string => `${key.replaceAll('\r\n', '\n').trim()}\n`
