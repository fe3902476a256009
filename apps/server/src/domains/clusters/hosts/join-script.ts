/** One word of a shell's command line, whatever is in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export interface JoinScript {
  /** host:port of the API server. */
  endpoint: string
  /** `<id>.<secret>` of a bootstrap token. */
  token: string
  /** `sha256:…` of the public key of the cluster's authority. */
  caHash: string
  /** The cluster's minor version, of Kubernetes 1. */
  minor: number
  /** What the script says, in the reader's language. */
  texts: { needsRoot: string; needsKubeadm: string; joining: string; joined: string }
}

/** A line for a terminal: nothing in it moves the cursor. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')

const say = (text: string): string => `printf '%s\\n' ${shellQuoted(plain(text))}`

/**
 * The script that joins a host by kubeadm. Values stand in it as single-quoted words alone. The token travels by a file
 * that only root reads, and not on a command line, where every user of the host would see it.
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
    // JSON is YAML.
    `printf '%s\\n' ${shellQuoted(JSON.stringify(configuration))} >"$configuration"`,
    say(texts.joining),
    'kubeadm join --config "$configuration"',
    say(texts.joined),
    '',
  ].join('\n')
}
