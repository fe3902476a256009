import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { z } from 'zod'
import { CallError } from '../../../api/call.ts'

export type ConnectionMethod = Cluster['reach']

export const connectionMethods = ['kubeconfig', 'token', 'agent'] as const satisfies readonly ConnectionMethod[]

const { name, description, teamIds, kubeconfig, context, server, token, ca } = clusters.create.body.shape

/** The fields of each method; those of other methods are not in the form and cannot be sent. */
export const credentialsOf = {
  kubeconfig: z.strictObject({ kubeconfig: kubeconfig.unwrap(), context }),
  token: z.strictObject({ server: server.unwrap(), token: token.unwrap(), ca }),
  agent: z.strictObject({}),
} satisfies Record<ConnectionMethod, z.ZodObject>

export const schemaOfAdding = (way: ConnectionMethod) =>
  z.strictObject({ name, description, teamIds, ...credentialsOf[way].shape })

/** Without a method the credentials stay as they are. */
export const schemaOfEditing = (way: ConnectionMethod | undefined) =>
  z.strictObject({ name, description, ...(way && credentialsOf[way].shape) })

/** The credentials in the input, as the server expects them. */
export function credentialsIn(way: ConnectionMethod, typed: object): z.input<typeof clusters.check.body> {
  if (way === 'agent') return { agent: true }
  const wanted = Object.keys(credentialsOf[way].shape)
  return Object.fromEntries(Object.entries(typed).filter(([key]) => wanted.includes(key)))
}

const tokenFields: readonly (readonly [about: RegExp, field: 'token' | 'ca'])[] = [
  [/token|credentials|rights|anonymous/, 'token'],
  [/ca-invalid|tls-untrusted/, 'ca'],
]

/** Moves a problem of the check to its field. */
export function atField(way: ConnectionMethod | undefined, error: unknown): unknown {
  if (!way || way === 'agent' || !(error instanceof CallError)) return error
  const { status, key, text } = error
  if (!/^(kube|outbound|clusters-(rights|ca|credentials|joined))-/.test(key)) return error
  const path = way === 'kubeconfig' ? way : (tokenFields.find(([about]) => about.test(key))?.[1] ?? 'server')
  return new CallError(status, key, text, [{ path, key, text }])
}
