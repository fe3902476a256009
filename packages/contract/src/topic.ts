import { z } from 'zod'

/**
 * One condition for subscribing, as an endpoint's `access`, with the topic's parameters in the place of the path's. `self`: the user whose
 * id the parameter is, and not by an API token.
 */
export type TopicRule =
  | 'user'
  | 'admin'
  | { system: string }
  | { team: string; permission?: string }
  | { owner: string; by: string; permission?: string }
  | { self: string }

/**
 * Who may subscribe. Of several rules, all have to hold. With `scope`, the parameter of that name decides which: `all` stands for
 * everybody's things, anything else for the team with that id.
 */
export type TopicAccess =
  TopicRule | readonly TopicRule[] | { scope: string; all: TopicRule; team: readonly TopicRule[] }

type ParamNames<P extends string> = P extends `${infer Head}/${infer Rest}`
  ? ParamNames<Head> | ParamNames<Rest>
  : P extends `:${infer Name}`
    ? Name
    : never

type Params<P extends string> = Record<ParamNames<P>, string | number>

export interface Topic<P extends string = string, C extends z.ZodType = z.ZodType> {
  /** What its name is made of: `build/:pipelineId/:number`. */
  path: P
  access: TopicAccess
  /** What a message carries: a hint of what changed. The truth is always a read away. */
  content: C
  /** As it is subscribed to: `build/7/12`. */
  name(params: Params<P>): string
}

/** What names one of a topic, or one of each of several. */
export type TopicParams<T extends Topic> = Params<T['path']>

/** What a message of the topic says. */
export type Content<T extends Topic> = z.output<T['content']>

/** Declares a topic. It is what the server publishes to, who may subscribe, and what the console parses messages with. */
export const topic = <const P extends string, C extends z.ZodType>(declared: {
  path: P
  access: TopicAccess
  content: C
}): Topic<P, C> => ({
  ...declared,
  name: (params: Record<string, string | number>) =>
    declared.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name])),
})

export const isTopic = (value: unknown): value is Topic =>
  typeof value === 'object' && value !== null && 'path' in value && 'content' in value && 'name' in value

/** The parameters in a topic's name; undefined where the name is none of the path's: asked of every event by every subscriber. */
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

/** Changes that were too many to be published one by one; of 0, how current the list is has changed. */
export const Many = z.object({ many: z.number().int() })
