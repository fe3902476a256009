import type { Checked, CompileInput } from '@gantry/tosca/compile'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { Lang } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { openThread, ThreadLimit } from '../../../kernel/thread.ts'
import type { Problem } from '@gantry/tosca/problems'
import { sourceUrl } from '../../../root.ts'

const ask = openThread<{ text: string; given: CompileInput | undefined }, Checked>(
  sourceUrl('domains/blueprints/tosca/check.worker.ts'),
)

/** Checks a template in a worker thread. */
export const checkText = (text: string, given?: CompileInput): Promise<Checked> =>
  ask({ text, given }).catch((error: unknown) => {
    throw error instanceof ThreadLimit ? new Fault('invalid', 'blueprints-tosca-too-complex') : error
  })

const words = (lang: Lang, key: string, vars: Problem['vars']): string => (isPhrase(key) ? say(lang, key, vars) : key)

/** A problem of a template in the language of the reader. */
export const wordsOf = (lang: Lang, { key, vars, reason }: Problem): string =>
  words(lang, key, reason ? { ...vars, reason: words(lang, reason.key, reason.vars) } : vars)

/** At most this many problems are listed in a refusal. */
const maxListed = 20

/** Refuses a template with all of its problems, each with line and column. */
export function refuseProblems(lang: Lang, { problems }: Pick<Checked, 'problems'>): void {
  const [first] = problems
  if (!first) return
  const listed = problems.slice(0, maxListed).map((problem) => ({
    path: `template:${problem.line}:${problem.column}`,
    key: problem.key,
    text: wordsOf(lang, problem),
  }))
  const key: PhraseKey = first.key === 'blueprints-tosca-yaml' ? 'blueprints-yaml-wrong' : 'blueprints-template-wrong'
  const { line, column } = first
  throw new Fault('invalid', key, { line, column, reason: wordsOf(lang, first), count: problems.length }, listed)
}
