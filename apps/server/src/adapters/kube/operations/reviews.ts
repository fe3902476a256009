import type {
  V1ResourceRule,
  V1SelfSubjectAccessReview,
  V1SelfSubjectReview,
  V1SelfSubjectRulesReview,
} from '@kubernetes/client-node'
import { KubeError } from '../errors.ts'
import type { Wire } from '../objects.ts'
import { list, text, texts } from '../parse-object.ts'
import type { Resource } from '../resources.ts'
import type { Identity } from '../transport/connection.ts'
import type { KubeRequest, Transport } from '../transport/transport.ts'

/** One question about a right. */
export interface Right {
  verb: string
  resource: Resource
  subresource?: string
  /** All namespaces if omitted. */
  namespace?: string | undefined
}

/** A permission that an authorizer grants. `*` is everything, `pods/log` a subresource. */
export interface Rule {
  verbs: string[]
  groups: string[]
  resources: string[]
}

type Options = Pick<KubeRequest, 'signal' | 'budget'>

/** The API server's answers about the caller. */
export interface Reviews {
  /** Answers in the order of the questions. */
  can: (rights: readonly Right[], options?: Options) => Promise<boolean[]>
  /** The permissions in the whole cluster, as far as its authorizers can list them. `can` is authoritative. */
  rules: (options?: Options) => Promise<Rule[]>
  /** Throws `anonymous` if the API server ignores the credentials, even if it permits everything to everybody. */
  mustBeKnown: (options?: Options) => Promise<void>
}

/** Concurrent questions about rights, so that other calls to the cluster still get a connection. */
const questionsAtOnce = 8

/**
 * The name of a namespace that does not exist. The API server lists grants in one namespace together with grants
 * everywhere, and does not check whether the namespace exists.
 */
const nowhere = 'gantry-no-namespace'

export function reviewsOver(transport: Transport, identity: Identity | undefined): Reviews {
  const review = <T>(group: string, kind: string, spec: object, options: Options = {}): Promise<T> =>
    transport.json<T>({
      method: 'POST',
      path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
      body: { apiVersion: `${group}/v1`, kind, spec },
      identity,
      signal: options.signal,
      budget: options.budget,
    })

  async function isAllowed({ verb, resource, subresource, namespace }: Right, options?: Options): Promise<boolean> {
    const resourceAttributes = {
      verb,
      group: resource.group,
      version: resource.version,
      resource: resource.plural,
      ...(subresource !== undefined && { subresource }),
      ...(namespace !== undefined && { namespace }),
    }
    const { status } = await review<Wire<V1SelfSubjectAccessReview>>(
      'authorization.k8s.io',
      'SelfSubjectAccessReview',
      { resourceAttributes },
      options,
    )
    return status?.allowed ?? false
  }

  return {
    can: async (rights, options) => {
      const answers: boolean[] = []
      for (let at = 0; at < rights.length; at += questionsAtOnce) {
        const batch = rights.slice(at, at + questionsAtOnce)
        answers.push(...(await Promise.all(batch.map((right) => isAllowed(right, options)))))
      }
      return answers
    },

    rules: async (options) => {
      const { status } = await review<Wire<V1SelfSubjectRulesReview>>(
        'authorization.k8s.io',
        'SelfSubjectRulesReview',
        { namespace: nowhere },
        options,
      )
      return list<Wire<V1ResourceRule>>(status?.resourceRules)
        .filter(({ resourceNames }) => texts(resourceNames).length === 0)
        .map(({ verbs, apiGroups, resources }) => ({
          verbs: texts(verbs),
          groups: texts(apiGroups),
          resources: texts(resources),
        }))
    },

    mustBeKnown: async (options) => {
      const { status } = await review<Wire<V1SelfSubjectReview>>(
        'authentication.k8s.io',
        'SelfSubjectReview',
        {},
        options,
      )
      const user = text(status?.userInfo?.username)
      if (user === 'system:anonymous') throw new KubeError('anonymous', transport.server, `the user is ${user}`)
    },
  }
}
