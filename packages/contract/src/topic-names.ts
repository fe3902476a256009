import type { Endpoint } from './endpoint.ts'
import type { Topic } from './topic.ts'

type Named = Partial<Record<string, unknown>>

/** What a call says of the objects that it is about. */
export interface Given {
  /** The parameters of the path; and the body where `access` is decided by one of its fields. */
  named: Named
  /** The team that the call is about, where the path names only an object of it. */
  teamId?: number | undefined
  /** Who calls. */
  userId?: number | undefined
}

/**
 * The name of a call's topic, or undefined where the call does not say what it is about. A parameter that the topic's
 * access requires a team or an object by is what the call's access names: the team, or an object of the same kind. A
 * scope is the team, or `all` for a call of the whole installation; oneself is the caller. Any other is the call's
 * parameter of the same name.
 */
export function nameFor(
  topic: Topic,
  { access }: Pick<Endpoint, 'access'>,
  { named, teamId, userId }: Given,
): string | undefined {
  const of = typeof access === 'string' || 'system' in access ? undefined : access
  const team = of && 'team' in of ? named[of.team] : of && teamId
  const ofAll = access === 'admin' || (typeof access === 'object' && 'system' in access)
  const rules = typeof topic.access === 'object' && 'scope' in topic.access ? topic.access.team : [topic.access].flat()
  const valueOf = (param: string): unknown => {
    for (const rule of rules) {
      if (typeof rule === 'string') continue
      if ('team' in rule && rule.team === param)
        return named[param] ?? team ?? (isScope(topic, param) && ofAll ? 'all' : undefined)
      if ('self' in rule && rule.self === param) return named[param] ?? userId
      if ('owner' in rule && rule.by === param && of && 'owner' in of && of.owner === rule.owner) return named[of.by]
    }
    return named[param]
  }
  const params = topic.path.match(/(?<=:)\w+/g) ?? []
  const values = Object.fromEntries(params.map((param) => [param, valueOf(param)]))
  return Object.values(values).every((value) => typeof value === 'string' || typeof value === 'number')
    ? topic.name(values as Record<string, string | number>)
    : undefined
}

const isScope = ({ access }: Topic, param: string): boolean =>
  typeof access === 'object' && 'scope' in access && access.scope === param
