import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Kube } from '../src/adapters/kube/client.ts'
import type { KubeObject } from '../src/adapters/kube/objects.ts'
import * as kinds from '../src/adapters/kube/resources.ts'
import { until } from './own-namespace.ts'

const resources = {
  Namespace: kinds.namespaces,
  ServiceAccount: kinds.serviceAccounts,
  Secret: kinds.secrets,
  ClusterRole: kinds.clusterRoles,
  ClusterRoleBinding: kinds.clusterRoleBindings,
}

/** The objects that the manual says to apply for an account, with this name. Throws if the page has none. */
export function manualObjects(language: 'en' | 'zh', name = 'gantry'): KubeObject[] {
  const page = readFileSync(join(import.meta.dirname, `../../../docs/manual/${language}/clusters.html`), 'utf8')
  const text = /<pre id="account"[^>]*><code>([\s\S]+?)<\/code><\/pre>/.exec(page)?.[1]
  if (text === undefined) throw new Error('the manual shows no account')
  return parseAllDocuments(text.replaceAll(/\bgantry\b/g, name)).map((document) => document.toJS() as KubeObject)
}

/** Applies the manual's objects with this name, and returns the account's token. */
export async function accountOfManual(kube: Kube, name: string): Promise<string> {
  for (const object of manualObjects('en', name)) {
    await kube.apply(resources[object.kind as keyof typeof resources], object)
  }
  return tokenOf(kube, name, name)
}

/** Waits for the token of an account. */
export const tokenOf = (kube: Kube, namespace: string, name: string): Promise<string> =>
  until('the token', async () => {
    const { data } = await kube.get(kinds.secrets, { namespace, name: `${name}-token` })
    return data?.['token'] === undefined ? undefined : Buffer.from(data['token'], 'base64').toString('utf8')
  })
