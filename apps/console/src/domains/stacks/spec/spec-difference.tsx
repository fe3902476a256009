import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { t } from '../../../api/language.ts'
import { Difference } from '../../../ui/editor/editors.tsx'
import { specText } from './spec-text.ts'

interface SpecDifferenceProps {
  before: ServiceSpec
  after: ServiceSpec
}

/** Two specifications side by side, as YAML. */
export function SpecDifference({ before, after }: SpecDifferenceProps) {
  const [old, now] = [specText(before), specText(after)]
  return old === now ? <p className="g-note">{t('stacks-ui-compare-same')}</p> : <Difference before={old} after={now} />
}
