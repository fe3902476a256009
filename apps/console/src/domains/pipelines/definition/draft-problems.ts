import { Definition } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'
import { wordsOfIssue } from '../../../ui/form/problems.ts'
import { stagesOfDraft, type Draft } from './draft.ts'

/** What is wrong with a draft, by the path in the definition: `stages.0.steps.1.run`. The first of a path is kept. */
export function problemsOfDraft(draft: Draft): ReadonlyMap<string, string> {
  const stages = stagesOfDraft(draft)
  const problems = new Map<string, string>()
  const tell = (path: string, words: string) => {
    if (!problems.has(path)) problems.set(path, words)
  }
  for (const issue of Definition.safeParse({ stages }).error?.issues ?? []) {
    const given = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], {
      stages,
    })
    const blank = given === undefined || given === ''
    // A selector without a choice is not an id of the wrong form.
    const words = blank && issue.message === 'id-invalid' ? t('field-required') : wordsOfIssue(issue, blank)
    tell(issue.path.join('.'), words)
  }
  for (const [at, stage] of stages.entries())
    for (const [row, step] of (stage.steps ?? []).entries())
      if (step.type === 'image' && step.registryId < 1)
        tell(`stages.${at}.steps.${row}.registryId`, t('field-required'))
  return problems
}

/** Whether something at this path, or below it, is wrong. */
export const isWrong = (problems: ReadonlyMap<string, string>, path: string): boolean =>
  [...problems.keys()].some((each) => each === path || each.startsWith(`${path}.`))
