import {
  caBundle,
  type ClusterAddress,
  parseKubeconfig,
  serverUrl,
  tokenAuth,
} from '../../../adapters/kube/transport/kubeconfig.ts'
import { Fault } from '../../../kernel/fault.ts'

/** As in the contract: one complete connection method. */
export interface Credentials {
  kubeconfig?: string | undefined
  context?: string | undefined
  server?: string | undefined
  token?: string | undefined
  ca?: string | undefined
  agent?: boolean | undefined
}

/** The connection method of a cluster, `reach` on the wire and in its row, with its address and credentials. */
export type ClusterAccess = { method: 'kubeconfig' | 'token'; address: ClusterAddress } | { method: 'agent' }

/** PEM, or PEM in base64, as in a kubeconfig or a secret's `ca.crt`. */
function authority(given: string | undefined): string | undefined {
  const text = given?.trim() ?? ''
  if (text === '') return undefined
  try {
    return caBundle(text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    throw new Fault('invalid', 'clusters-ca-invalid')
  }
}

/** Undefined if nothing is given. Throws a fault that names the problem. */
export function parseCredentials({
  kubeconfig,
  context,
  server,
  token,
  ca,
  agent,
}: Credentials): ClusterAccess | undefined {
  if (agent) return { method: 'agent' }
  if (server !== undefined && token !== undefined)
    return {
      method: 'token',
      address: { server: serverUrl(server), ca: authority(ca), auth: tokenAuth(token), tlsServerName: undefined },
    }
  if (kubeconfig === undefined) return undefined
  return { method: 'kubeconfig', address: parseKubeconfig(kubeconfig, context || undefined) }
}

/** The server as lists and the audit log show it. */
export const serverOf = (way: ClusterAccess): string => (way.method === 'agent' ? '' : way.address.server)
