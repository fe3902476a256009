import type { StageInput } from '@gantry/contract/pipelines/definition'
import { t } from '../../../api/language.ts'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import { definitionHints } from '../definition/definition-hints.ts'
import { fromYaml, problemsOfDefinition, toYaml } from '../definition/definition-yaml.ts'

interface ProposalEditorProps {
  draftKey: string
  stages: readonly StageInput[]
  onApply: (stages: StageInput[]) => void
}

/** A proposed definition as text, before it becomes a pipeline. */
export function ProposalEditor({ draftKey, stages, onApply }: ProposalEditorProps) {
  return (
    <YamlEditor
      label={t('pipelines-onboard-steps')}
      value={toYaml(stages)}
      draftKey={draftKey}
      check={problemsOfDefinition}
      hints={definitionHints}
      onApply={async (text) => {
        const read = fromYaml(text)
        if ('problems' in read) throw new Error(t('pipelines-onboard-edit-wrong'))
        onApply(read.stages)
      }}
    />
  )
}
