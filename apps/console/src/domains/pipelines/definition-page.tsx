import { PipelineFrame } from './pipeline-frame.tsx'

export function DefinitionPage() {
  return <PipelineFrame screen="cd-orchestration">{() => null}</PipelineFrame>
}
