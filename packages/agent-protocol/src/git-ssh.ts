/**
 * How git reaches a repository over SSH, on the server and on agents: by a configuration of its own that trusts one
 * host key, offers one private key, and takes nothing from the machine or its user.
 */
export interface SshFiles {
  /** The name under which the host key is pinned, as known_hosts writes it. */
  alias: string
  /** Where to connect instead of the name in the URL: the address that was checked. */
  address?: string | undefined
  knownHosts: string
  /** Undefined: there is no private key, and the host is only asked whether it needs one. */
  key?: string | undefined
  /** The file of `connectScript`; undefined: the host is connected to directly. */
  proxy?: string | undefined
  /** Whether an unknown host key is taken into the known hosts. A changed one never is. */
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

/** One word for a shell, whatever it holds. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A script that carries a connection through an HTTP proxy. It is bash's own: a machine without a tool for this has
 * bash. When the other side is gone, ssh must see the end of its input.
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

/** A private key as ssh reads it: lines end with a line feed, the last one too. */
export const keyFile = (key: string): string => `${key.replaceAll('\r\n', '\n').trim()}\n`
