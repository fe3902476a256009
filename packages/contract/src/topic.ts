import { z } from 'zod'

/**
 * One condition for subscribing, like an endpoint's `access`, but with the topic's parameters instead of the path's.
 * `self`: the user with this id, and not an API token. `or`: another permission that also suffices, because reads that
 * require different permissions depend on the topic.
 */
export type TopicRule =
  | 'user'
  | 'admin'
  | { system: string; or?: string }
  | { team: string; permission?: string; or?: string }
  | { owner: string; by: string; permission?: string }
  | { self: string }

/**
 * Who may subscribe. If there are several rules, all must be met. With `scope`, the parameter of that name selects the
 * rule: `all` means all objects, anything else the team with that id.
 */
export type TopicAccess =
  | TopicRule
  | readonly TopicRule[]
  | { scope: string; all: TopicRule; team: readonly TopicRule[] }

type ParamNames<P extends string> = P extends `${infer Head}/${infer Rest}`
  ? ParamNames<Head> | ParamNames<Rest>
  : P extends `:${infer Name}`
    ? Name
    : never

type Params<P extends string> = Record<ParamNames<P>, string | number>

export interface Topic<P extends string = string, C extends z.ZodType = z.ZodType> {
  /** The pattern of its name: `build/:pipelineId/:number`. */
  path: P
  access: TopicAccess
  /** The content of a message: what has changed. Only a read returns the present state. */
  content: C
  /** The name to subscribe to: `build/7/12`. */
  name(params: Params<P>): string
  /** Set by hint(). */
  isHint?: true
}

/** The parameters in the name of a topic, or of each of several. */
export type TopicParams<T extends Topic> = Params<T['path']>

/** The content of the topic's messages. */
export type Content<T extends Topic> = z.output<T['content']>

/** Declares a topic: its name, who may subscribe, and how the console parses its messages. */
export const topic = <const P extends string, C extends z.ZodType>(declared: {
  path: P
  access: TopicAccess
  content: C
}): Topic<P, C> => ({
  ...declared,
  name: (params: Record<string, string | number>) =>
    declared.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name])),
})

const nothing = z.object({})

/** A topic whose messages are empty: reads that depend on it are outdated. */
export type Hint<P extends string = string> = Topic<P, typeof nothing> & { isHint: true }

/**
 * Declares a topic without content. The server publishes to it after each write that names it, and the console repeats
 * the reads that name it. Messages tell only that something changed, so access may be wider than that of the reads.
 */
export const hint = <const P extends string>(declared: { path: P; access: TopicAccess }): Hint<P> => ({
  ...topic({ ...declared, content: nothing }),
  isHint: true,
})

export const isHint = (topic: Topic): topic is Hint => topic.isHint === true

export const isTopic = (value: unknown): value is Topic =>
  typeof value === 'object' && value !== null && 'path' in value && 'content' in value && 'name' in value

/**
 * The parameters in a topic's name; undefined if the name does not match. Called for every event by every subscriber.
 */
export function paramsIn(path: string, name: string): Record<string, string> | undefined {
  if (!name.startsWith(path.split(':', 1)[0] ?? '')) return undefined
  const given = name.split('/')
  const parts = path.split('/')
  if (parts.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const value = given[at] ?? ''
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
    } else if (value === '') return undefined
    else params[part.slice(1)] = value
  }
  return params
}

/** The number of changes that were too many to publish one by one; 0: only the freshness of the list has changed. */
export const Many = z.object({ many: z.number().int() })
