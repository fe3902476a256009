import type { BuildSummary } from '@gantry/contract/pipelines/builds'
import { isPhrase, t } from '../../../api/language.ts'

/** Who or what started a build. */
export function causeOf({ cause, userCause }: Pick<BuildSummary, 'cause' | 'userCause'>): string {
  const key = `pipelines-ui-cause-${cause}`
  const how = isPhrase(key) ? t(key) : cause
  return userCause === '' ? how : t('pipelines-ui-cause-by', { how, who: userCause })
}

export const stepTypeOf = (type: string): string => {
  const key = `pipelines-ui-step-${type}`
  return isPhrase(key) ? t(key) : type
}

export const shortCommit = (commit: string): string => commit.slice(0, 8)

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
