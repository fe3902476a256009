/** Quotes a text as one word of a shell command. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export interface JoinScript {
  /** `host:port` of the API server. */
  endpoint: string
  /** `<id>.<secret>` of a bootstrap token. */
  token: string
  /** `sha256:…` of the public key of the cluster's CA. */
  caHash: string
  /** Minor version of the cluster's Kubernetes 1.x. */
  minor: number
  /** The script's messages, in the reader's language. */
  texts: { needsRoot: string; needsKubeadm: string; joining: string; joined: string }
}

/** Makes a text safe for a terminal: without control characters. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')

const say = (text: string): string => `printf '%s\\n' ${shellQuoted(plain(text))}`

/**
 * The script that joins a host by kubeadm. Values occur in it only as single-quoted words. The token is passed in a
 * file that only root can read, because every user of the host could see a command line.
 */
export function joinScript({ endpoint, token, caHash, minor, texts }: JoinScript): string {
  const configuration = {
    apiVersion: minor >= 31 ? 'kubeadm.k8s.io/v1beta4' : 'kubeadm.k8s.io/v1beta3',
    kind: 'JoinConfiguration',
    discovery: { bootstrapToken: { apiServerEndpoint: endpoint, token, caCertHashes: [caHash] } },
  }
  return [
    '#!/bin/sh',
    'set -eu',
    `[ "$(id -u)" -eq 0 ] || { ${say(texts.needsRoot)} >&2; exit 1; }`,
    `command -v kubeadm >/dev/null || { ${say(texts.needsKubeadm)} >&2; exit 1; }`,
    'umask 077',
    'configuration=$(mktemp)',
    `trap 'rm -f "$configuration"' EXIT`,
    // JSON is valid YAML
    `printf '%s\\n' ${shellQuoted(JSON.stringify(configuration))} >"$configuration"`,
    say(texts.joining),
    'kubeadm join --config "$configuration"',
    say(texts.joined),
    '',
  ].join('\n')
}
