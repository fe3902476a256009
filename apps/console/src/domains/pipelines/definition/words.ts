import type { BuildSummary } from '@gantry/contract/pipelines/builds'
import { isPhrase, t } from '../../../api/language.ts'

/** What started a build. */
export function causeOf({ cause, userCause }: Pick<BuildSummary, 'cause' | 'userCause'>): string {
  const key = userCause === '' ? `pipelines-ui-cause-${cause}` : `pipelines-ui-cause-${cause}-by`
  return isPhrase(key) ? t(key, { who: userCause }) : cause
}

export const stepTypeOf = (type: string): string => {
  const key = `pipelines-ui-step-${type}`
  return isPhrase(key) ? t(key) : type
}

export const shortCommit = (commit: string): string => commit.slice(0, 8)

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
